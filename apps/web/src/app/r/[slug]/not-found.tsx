import { useTranslations } from "next-intl";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { PageHead } from "@/components/ui/page-head";

export default function ReportNotFound() {
  const t = useTranslations("public.noReport");
  return (
    <>
      <Header />
      <Main>
        <PageHead title={t("title")}>{t("text")}</PageHead>
      </Main>
    </>
  );
}
