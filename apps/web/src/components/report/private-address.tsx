import { useTranslations } from "next-intl";

export function PrivateAddress() {
  const t = useTranslations("report");
  return (
    <p className="note" data-tone="warn">
      {t.rich("privateAddress", { code: (name) => <code key="code">{name}</code> })}
    </p>
  );
}
