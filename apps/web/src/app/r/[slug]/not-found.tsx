import { useTranslations } from "next-intl";
import { SignInLink } from "@/components/auth/sign-in-link";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { PageHead } from "@/components/ui/page-head";

export default function ReportNotFound() {
  const t = useTranslations("public");
  return (
    <>
      <Header />
      <Main>
        <PageHead title={t("noReport.title")}>{t("noReport.text")}</PageHead>
        <SignInLink label={t("auth.signIn")} />
      </Main>
    </>
  );
}
