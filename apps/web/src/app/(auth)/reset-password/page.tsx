import type { Metadata } from "next";
import Link from "next/link";
import { ResetForm } from "@/components/auth/reset-forms";
import { PageHead } from "@/components/ui/page-head";

export const metadata: Metadata = { title: "New password" };

export default async function ResetPasswordPage({ searchParams }: PageProps<"/reset-password">) {
  const { token, error } = await searchParams;
  const usable = typeof token === "string" && token !== "" && error === undefined;
  return (
    <>
      <PageHead title="New password" />
      {usable ? (
        <ResetForm token={token} />
      ) : (
        <div className="space-y-4">
          <p className="note" data-tone="bad">
            This link is used up, too old, or not whole.
          </p>
          <Link className="btn" href="/forgot-password">
            Ask for a new link
          </Link>
        </div>
      )}
    </>
  );
}
