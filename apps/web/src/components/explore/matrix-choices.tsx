import type { LeaderboardMatrix, MatrixFilter } from "@rigmark/results";
import { useTranslations } from "next-intl";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";

interface MatrixChoicesProps {
  choices: LeaderboardMatrix["choices"];
  filter: MatrixFilter;
}

/** Which rows and which columns: boxes to tick, sent with the form around them. */
export function MatrixChoices({ choices, filter }: MatrixChoicesProps) {
  const w = useWords();
  const scenarios = choices.scenario.map(({ scenario, title }) => ({
    value: scenario,
    text: w.title(plainLine(title)),
  }));
  const entries = choices.entry.map((value) => ({ value, text: plainLine(value) }));
  return (
    <>
      <Boxes name="entry" offered={entries} chosen={filter.entry ?? []} />
      <Boxes name="scenario" offered={scenarios} chosen={filter.scenario ?? []} />
    </>
  );
}

interface BoxesProps {
  name: "entry" | "scenario";
  offered: { value: string; text: string }[];
  chosen: readonly string[];
}

/** What there is, and what is chosen though it is not there any more. */
function Boxes({ name, offered, chosen }: BoxesProps) {
  const t = useTranslations("public.matrix.choose");
  const gone = chosen.filter((value) => !offered.some((each) => each.value === value));
  const shown = [...offered, ...gone.map((value) => ({ value, text: plainLine(value) }))];
  if (shown.length < 2 && chosen.length === 0) return null;
  return (
    <details className="panel w-full px-3 py-2">
      <summary className="cursor-pointer">{t(name, { n: chosen.length, of: shown.length })}</summary>
      <ul className="mt-2 grid max-h-80 grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-x-6 gap-y-1 overflow-y-auto">
        {shown.map(({ value, text }) => (
          <li key={`${value} ${chosen.includes(value)}`}>
            <label className="flex items-start gap-2 [overflow-wrap:anywhere]">
              <input
                type="checkbox"
                className="mt-1"
                name={name}
                value={value}
                defaultChecked={chosen.includes(value)}
              />
              <bdi>{text}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}
