import { useTranslations } from "next-intl";

export default function EmbeddedNotFound() {
  const t = useTranslations("public.noReport");
  return (
    <main id="main" tabIndex={-1} className="p-4 outline-none">
      <h1 className="font-normal text-[1rem]">{t("short")}</h1>
    </main>
  );
}
