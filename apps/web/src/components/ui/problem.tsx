import { useTranslations } from "next-intl";
import { plainText } from "@/lib/text";

/** What went wrong, and if it can be tried again, a way to. */
export function Problem({
  message,
  retry,
  className = "",
}: {
  message: string;
  retry?: () => void;
  className?: string;
}) {
  const t = useTranslations("ui");
  return (
    <div role="alert" className={`note ${className}`} data-tone="bad">
      <p>{plainText(message)}</p>
      {retry && (
        <button type="button" className="btn mt-2" data-size="small" onClick={retry}>
          {t("tryAgain")}
        </button>
      )}
    </div>
  );
}
