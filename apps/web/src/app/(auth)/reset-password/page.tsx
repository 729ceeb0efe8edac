import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { ResetForm } from "@/components/auth/reset-forms";
import { PageHead } from "@/components/ui/page-head";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations("public.auth"))("newPassword"),
});

export default async function ResetPasswordPage({ searchParams }: PageProps<"/reset-password">) {
  const t = await getTranslations("public.auth");
  const { token, error } = await searchParams;
  const usable = typeof token === "string" && token !== "" && error === undefined;
  return (
    <>
      <PageHead title={t("newPassword")} />
      {usable ? (
        <ResetForm token={token} />
      ) : (
        <div className="space-y-4">
          <p className="note" data-tone="bad">
            {t("badLink")}
          </p>
          <Link className="btn" href="/forgot-password">
            {t("askNewLink")}
          </Link>
        </div>
      )}
    </>
  );
}
