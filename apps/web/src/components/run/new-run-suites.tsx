import { formatDuration } from "@rigmark/metrics";
import type { Suite } from "@rigmark/protocol";
import type { RunOptions } from "@rigmark/results";
import { claimsOf, plannedRange } from "@rigmark/results/planned";
import { emptyForm, type RunForm, scenariosOf, toSpec } from "@/lib/new-run";
import { chooseSuite, leftOut, makeQuick } from "@/lib/suite-form";
import { plainLine, plainText, plural } from "@/lib/text";
import { ReasonAndCure } from "../ui/prose";

interface SuiteChoiceProps {
  options: RunOptions;
  form: RunForm;
  onChange: (form: RunForm) => void;
}

/** Suites to start from. Choosing one fills in the rest of the form, which can still be changed. */
export function SuiteChoice({ options, form, onChange }: SuiteChoiceProps) {
  return (
    <ul className="divide-y divide-line" aria-label="Suites">
      {options.suites.map((suite) => (
        <SuiteItem
          key={suite.id}
          suite={suite}
          options={options}
          chosen={form.suite === suite.id}
          onChoose={() => onChange(chooseSuite(form, suite, options))}
          onQuick={() => onChange(makeQuick(chooseSuite(form, suite, options), options))}
          onLeave={() => onChange({ ...form, suite: null })}
        />
      ))}
    </ul>
  );
}

const QUICK =
  "Five blocks with trials of 0.8 s: enough for a verdict if the difference is large. Searches for the knee are not shortened; each of their trials takes up to 38 s.";

interface SuiteItemProps {
  suite: Suite;
  options: RunOptions;
  chosen: boolean;
  onChoose: () => void;
  onQuick: () => void;
  /** Keeps the choice as one's own. */
  onLeave: () => void;
}

function SuiteItem({ suite, options, chosen, onChoose, onQuick, onLeave }: SuiteItemProps) {
  const missing = leftOut(suite, options);
  const fits = chooseSuite(emptyForm(), suite, options);
  const possible = fits.entries.length > 0 && fits.scenarios.length > 0;
  return (
    <li className={`border-l-2 px-4 py-2.5 ${chosen ? "border-l-accent bg-sunk" : "border-l-transparent"}`}>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="font-medium">{plainLine(suite.title)}</h3>
          <p className="line-clamp-1 text-[0.929rem] text-ink-2" title={plainText(suite.summary)}>
            {plainText(suite.summary)}
          </p>
          <p className="text-[0.929rem] text-ink-2">
            {possible
              ? `${plural(fits.entries.length, "entry", "entries")}, ${plural(fits.scenarios.length, "scenario")}; ${lasts(fits, options)}, quick ${lasts(makeQuick(fits, options), options)}`
              : "Nothing in it can run on this host."}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {chosen && (
            <button
              type="button"
              className="btn"
              data-kind="quiet"
              data-size="small"
              title="Keeps your choices below, without the suite"
              onClick={onLeave}
            >
              No suite
            </button>
          )}
          <button
            type="button"
            className="btn"
            data-size="small"
            aria-pressed={chosen}
            aria-label={`Choose ${plainLine(suite.title)}`}
            disabled={!possible}
            onClick={onChoose}
          >
            Choose
          </button>
          <button
            type="button"
            className="btn"
            data-size="small"
            aria-label={`Quick look at ${plainLine(suite.title)}`}
            title={QUICK}
            disabled={!possible}
            onClick={onQuick}
          >
            Quick
          </button>
        </div>
      </div>
      {missing.length > 0 && (
        <details className="mt-1 text-[0.929rem]">
          <summary className="text-warn">{plural(missing.length, "part")} cannot run on this host</summary>
          <ul className="mt-1 space-y-1">
            {missing.map((m) => (
              <li key={m.what} className="[overflow-wrap:anywhere]">
                <bdi className="font-medium">{plainLine(m.what)}</bdi>:{" "}
                <ReasonAndCure reason={m.reason} fix={m.fix} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** About how long: the middle of the range that is shown in full beside the button that queues it. */
function lasts(form: RunForm, options: RunOptions): string {
  const { min_s, max_s } = plannedRange(
    toSpec(form, () => 0, options),
    scenariosOf(form, options),
    claimsOf(options.servers),
  );
  return `about ${formatDuration(Math.max(60, Math.round((min_s + max_s) / 120) * 60))}`;
}
