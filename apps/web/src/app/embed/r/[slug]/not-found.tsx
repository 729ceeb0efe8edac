import { useTranslations } from "next-intl";
import { EmbedTheme } from "@/components/report/embed-theme";

export default function EmbeddedNotFound() {
  const t = useTranslations("public.noReport");
  return (
    <main id="main" tabIndex={-1} className="p-4 outline-none">
      <EmbedTheme />
      <h1 className="font-normal text-[1rem]">{t("short")}</h1>
    </main>
  );
}
