import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { ForgotForm } from "@/components/auth/reset-forms";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations("public.auth"))("forgot"),
});

export default async function ForgotPasswordPage() {
  const t = await getTranslations("public.auth");
  const { providers } = await (await caller()).account.me();
  return (
    <>
      <PageHead title={t("forgot")}>{t("forgotText")}</PageHead>
      <ForgotForm mail={providers.mail} />
      <p className="mt-5">
        <Link className="link" href="/sign-in">
          {t("back")}
        </Link>
      </p>
    </>
  );
}
