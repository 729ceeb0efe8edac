"use client";

import { plainLine, plural } from "@/lib/text";
import { Field } from "../ui/field";

const MOST_TITLE = 120;

/** What is chosen of a report before it is made. */
export interface ShareChoice {
  /** Null until somebody writes one. */
  title: string | null;
  showHostName: boolean;
}

export const NOTHING_CHOSEN: ShareChoice = { title: null, showHostName: false };

/** For the report. What was only proposed is left to it: it hides the name of the host in the title, too. */
export const writtenTitle = ({ title }: ShareChoice): string | undefined => title?.trim() || undefined;

interface ShareFieldsProps {
  value: ShareChoice;
  onChange: (value: ShareChoice) => void;
  /** Title of the first run. */
  runTitle: string;
  /** How many runs are in the report beside the first. */
  others: number;
  /** Board or CPU of the first run's host; null where it is not known. */
  hardware: string | null;
}

/** The title of a report, and whether it names its hosts. */
export function ShareFields({ value, onChange, runTitle, others, hardware }: ShareFieldsProps) {
  return (
    <>
      <Field
        label="Title of the report"
        value={value.title ?? proposedTitle(runTitle, others)}
        onChange={(event) => onChange({ ...value, title: event.target.value })}
        maxLength={MOST_TITLE}
      />
      <label className="flex cursor-pointer gap-3">
        <input
          type="checkbox"
          className="mt-0.5"
          checked={value.showHostName}
          onChange={(event) => onChange({ ...value, showHostName: event.target.checked })}
        />
        <span>
          {others > 0 ? "Show the hosts' names" : "Show the host's name"}
          <span className="block text-[0.929rem] text-ink-2">
            {others > 0
              ? "Otherwise readers see their boards or CPUs."
              : `Otherwise readers see its board or CPU: ${plainLine(hardware ?? "unknown")}.`}
          </span>
        </span>
      </label>
    </>
  );
}

/** As the report is called unless somebody writes a title. */
function proposedTitle(runTitle: string, others: number): string {
  const more = others === 0 ? "" : `, and ${plural(others, "other run")}`;
  return `${plainLine(runTitle).slice(0, MOST_TITLE - more.length)}${more}`;
}
