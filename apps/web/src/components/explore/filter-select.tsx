import type { ExploreFilterName } from "@rigmark/results/explore";
import { useTranslations } from "next-intl";
import { plainLine } from "@/lib/text";

interface FilterSelectProps {
  name: ExploreFilterName;
  chosen: string | undefined;
  values: readonly string[];
}

/** What there is, and what is chosen though it is not there any more. */
export function FilterSelect({ name, chosen, values }: FilterSelectProps) {
  const t = useTranslations("public.explore");
  const shown = chosen !== undefined && !values.includes(chosen) ? [chosen, ...values] : values;
  if (shown.length === 0) return null;
  return (
    <label className="min-w-0 max-w-full basis-40">
      <span className="mb-1 block font-medium">{t(`filter.${name}`)}</span>
      <select key={chosen ?? ""} name={name} className="input" defaultValue={chosen ?? ""}>
        <option value="">{t("any")}</option>
        {shown.map((value) => (
          <option key={value} value={value}>
            {plainLine(value)}
          </option>
        ))}
      </select>
    </label>
  );
}
