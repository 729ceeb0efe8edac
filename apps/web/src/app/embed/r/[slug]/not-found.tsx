import { useTranslations } from "next-intl";

export default function EmbeddedNotFound() {
  const t = useTranslations("public.noReport");
  return (
    <main id="main" tabIndex={-1} className="p-4 outline-none">
      <p>{t("short")}</p>
    </main>
  );
}
