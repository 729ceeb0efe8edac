import { useTranslations } from "next-intl";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { PageHead } from "@/components/ui/page-head";

export default function NotFound() {
  const t = useTranslations("public.notFound");
  return (
    <>
      <Header />
      <Main>
        <PageHead title={t("title")}>{t("text")}</PageHead>
        <a className="btn" href="/">
          {t("go")}
        </a>
      </Main>
    </>
  );
}
