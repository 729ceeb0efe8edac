import { MOST_EXPLORE } from "@rigmark/results/explore";
import { useTranslations } from "next-intl";

/** Finds rows by words; sent with the form around it. */
export function MatrixSearch({ q = "" }: { q?: string | undefined }) {
  const t = useTranslations("public");
  return (
    <div className="flex min-w-0 flex-1 basis-64 items-end gap-2">
      <label className="min-w-0 flex-1">
        <span className="mb-1 block font-medium">{t("matrix.search")}</span>
        <input
          key={q}
          className="input"
          type="search"
          name="q"
          defaultValue={q}
          maxLength={MOST_EXPLORE}
          placeholder={t("matrix.searchIn")}
          autoComplete="off"
        />
      </label>
      <button type="submit" className="btn">
        {t("explore.search")}
      </button>
    </div>
  );
}
