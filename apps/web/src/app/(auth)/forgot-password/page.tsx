import type { Metadata } from "next";
import Link from "next/link";
import { ForgotForm } from "@/components/auth/reset-forms";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";

export const metadata: Metadata = { title: "Forgot password" };

export default async function ForgotPasswordPage() {
  const { providers } = await (await caller()).account.me();
  return (
    <>
      <PageHead title="Forgot password">We send a link with which you set a new one.</PageHead>
      <ForgotForm mail={providers.mail} />
      <p className="mt-5">
        <Link className="link" href="/sign-in">
          Back to sign in
        </Link>
      </p>
    </>
  );
}
