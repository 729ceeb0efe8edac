import type { ReportDays, ReportVisibility } from "@rigmark/results";
import { REPORT_DAYS } from "@rigmark/results/choices";
import { useId } from "react";
import { Choice } from "../ui/choice";

const READERS: readonly { value: ReportVisibility; label: string; note?: string }[] = [
  { value: "link", label: "Anyone with the link" },
  { value: "public", label: "Everyone", note: "also listed in Explore" },
  { value: "private", label: "Members of this workspace", note: "signed in" },
];

/** What a person chooses about a report's readers; `days` is undefined where its expiry stays as it is. */
export interface ReportAccess {
  visibility: ReportVisibility;
  days: ReportDays | undefined;
}

interface AccessFieldsProps {
  value: ReportAccess;
  onChange: (access: ReportAccess) => void;
  /** How the present expiry is called, where it may stay. */
  stays?: string;
}

const STAYS = "stays";

/** Who can read a report, and for how long. */
export function AccessFields({ value, onChange, stays }: AccessFieldsProps) {
  const id = useId();
  const chosen = value.days === undefined ? STAYS : (value.days ?? "");
  return (
    <>
      <Choice
        legend="Who can read it"
        value={value.visibility}
        onChange={(visibility) => onChange({ ...value, visibility })}
        options={READERS}
      />
      <div>
        <label htmlFor={id} className="mb-1 block font-medium">
          Expires
        </label>
        <select
          id={id}
          className="input"
          value={chosen}
          onChange={({ target }) =>
            onChange({
              ...value,
              days:
                target.value === STAYS
                  ? undefined
                  : (REPORT_DAYS.find((days) => String(days) === target.value) ?? null),
            })
          }
        >
          {stays && <option value={STAYS}>{stays}</option>}
          <option value="">never</option>
          {REPORT_DAYS.map((days) => (
            <option key={days} value={days}>
              in {days} days
            </option>
          ))}
        </select>
      </div>
    </>
  );
}
