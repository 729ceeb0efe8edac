import type { ReportSnapshot } from "@rigmark/results";
import { MOST_FRAMED } from "@rigmark/results/embed";
import { pictured, pictureOf } from "@/lib/results/picture";
import { assignStyles } from "@/lib/series-style";
import { plainLine, plainText } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Text } from "../ui/text";
import { langOf } from "./lang-of";

interface ReportEmbedProps {
  /** In the language of the page. */
  snapshot: ReportSnapshot;
  url: string;
}

/** A report inside of another page: the verdict, a bar an entry, and the link to the rest. Needs no script. */
export function ReportEmbed({ snapshot, url }: ReportEmbedProps) {
  const w = useWords();
  const run = snapshot.runs[0];
  const gap = run?.gaps[0];
  const picture = pictureOf(w, snapshot);
  if (!run || !picture) return null;
  const styles = assignStyles(run.entries.map((e) => e.key));
  const longest = Math.max(1, ...picture.rows.map((row) => row.value ?? 0));
  const scenario = pictured(run);
  const whole = `${url}${w.language === "zh" ? "?lang=zh" : ""}`;
  const more = picture.rows.length - MOST_FRAMED;
  return (
    <main id="main" tabIndex={-1} className="space-y-3 p-4 outline-none">
      <div>
        <h1 className="text-[1rem] [overflow-wrap:anywhere]">
          <bdi>{plainLine(snapshot.title)}</bdi>
        </h1>
        {scenario && (
          <p className="text-[0.929rem] text-ink-2">
            <Text
              text={w.join([
                w.title(plainLine(scenario.title)),
                snapshot.runs.length > 1 && w.t("report.picture.ofRuns", { n: snapshot.runs.length }),
              ])}
            />
          </p>
        )}
      </div>
      <p className="border-accent border-l-2 pl-3 leading-snug" data-verdict lang={langOf(w, run)}>
        <Text text={w.sentence(plainLine(picture.sentence))} />
      </p>
      {gap && (
        <p className="note text-[0.929rem]" data-tone="warn">
          <Text text={w.phrase(plainText(gap))} />
        </p>
      )}
      <ul className="space-y-1.5">
        {picture.rows.slice(0, MOST_FRAMED).map((row) => (
          <li key={row.key}>
            <div className={`flex justify-between gap-4 ${row.winner ? "font-semibold" : ""}`}>
              <bdi className="min-w-0 truncate">{plainLine(row.name)}</bdi>
              <span className="text-right">
                <Text text={row.figure} />
              </span>
            </div>
            <div aria-hidden="true" className="h-2 bg-sunk">
              <div
                className="h-full"
                style={{
                  width: `${((row.value ?? 0) / longest) * 100}%`,
                  background: `var(--series-${styles.get(row.key)?.hue ?? 1})`,
                }}
              />
            </div>
          </li>
        ))}
      </ul>
      <p className="text-[0.929rem] text-ink-2">
        {more > 0 && `${w.t("report.picture.more", { n: more })} · `}
        <a className="link" href={whole} target="_blank" rel="noopener">
          {w.t("report.embed.whole")}
        </a>
        {" · "}
        <Text text={w.name(plainLine(run.host.name))} />
        {" · "}
        {w.moment(run.finished_at ?? snapshot.created_at)}
      </p>
    </main>
  );
}
