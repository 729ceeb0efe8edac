import type { Words } from "@rigmark/messages";
import type { ReportRun, ReportSnapshot } from "@rigmark/results";
import type { CSSProperties } from "react";
import type { OgText } from "@/lib/og-text";
import { pictured, pictureOf } from "@/lib/results/picture";
import { assignStyles } from "@/lib/series-style";

const INK = "#16171a";
const INK_2 = "#4c4f55";
/** `--series-n` of app/tokens.css: a picture has no style sheet. */
const SERIES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442", "#33363b"];
const MOST = 5;

interface ReportPictureProps {
  /** In the language of `w`. */
  snapshot: ReportSnapshot;
  w: Words;
  text: OgText;
}

/** Who was shown to win, or that nobody was, by what figures, under which load, on which host. */
export function ReportPicture({ snapshot, w, text }: ReportPictureProps) {
  const run = snapshot.runs[0];
  const picture = pictureOf(w, snapshot);
  if (!run || !picture) return <div style={frame}>{text.line(snapshot.title, 80)}</div>;
  const styles = assignStyles(run.entries.map((e) => e.key));
  const rows = picture.rows.map((row) => ({
    ...row,
    name: text.line(row.name, 30),
    color: SERIES[(styles.get(row.key)?.hue ?? 1) - 1] ?? INK,
  }));
  const longest = Math.max(1, ...rows.map((r) => r.value ?? 0));
  // The line that counts the rest takes the space of a row.
  const shown = rows.slice(0, rows.length > MOST ? MOST - 1 : MOST);
  const tight = rows.length > 4;
  const headline = picture.headline && text.line(picture.headline, 60);
  const sentence = text.sentence(picture.sentence, 170);
  return (
    <div style={frame}>
      <div style={{ display: "flex", justifyContent: "space-between", fontSize: 26, color: INK_2 }}>
        <div style={{ display: "flex", alignItems: "center", color: INK, fontWeight: 600 }}>
          <svg aria-hidden="true" viewBox="0 0 20 20" width="30" height="30" style={{ marginRight: 12 }}>
            <path d="M2 3.5h16M10 6v12M10 6L3.5 18M10 6l6.5 12" fill="none" stroke={INK} strokeWidth="2" />
          </svg>
          Rigmark
          {snapshot.runs.length > 1 && (
            <div style={{ display: "flex", marginLeft: 14, color: INK_2, fontWeight: 400 }}>
              {w.t("report.picture.ofRuns", { n: snapshot.runs.length })}
            </div>
          )}
        </div>
        <div style={{ display: "flex" }}>
          {text.line(scenarioLine(w, run), snapshot.runs.length > 1 ? 52 : 64)}
        </div>
      </div>
      {headline && (
        <div style={{ display: "flex", marginTop: 22, fontSize: 40, lineHeight: 1.22, fontWeight: 600 }}>
          {headline}
        </div>
      )}
      <div
        style={{
          display: "flex",
          marginTop: headline ? 8 : 26,
          fontSize: headline ? 27 : sentence.length > (w.language === "zh" ? 55 : 110) ? 34 : 40,
          lineHeight: 1.22,
          fontWeight: headline ? 400 : 600,
        }}
      >
        {sentence}
      </div>
      <div style={{ display: "flex", flexDirection: "column", marginTop: "auto" }}>
        {shown.map((row) => (
          <div key={row.key} style={{ display: "flex", flexDirection: "column", marginTop: tight ? 8 : 14 }}>
            <div
              style={{
                display: "flex",
                justifyContent: "space-between",
                fontSize: 26,
                fontWeight: row.winner ? 600 : 400,
              }}
            >
              <div style={{ display: "flex" }}>{row.name}</div>
              <div style={{ display: "flex" }}>{text.line(row.figure, 40)}</div>
            </div>
            <div style={{ display: "flex", height: tight ? 12 : 16, marginTop: 4, background: "#ecece8" }}>
              <div
                style={{
                  display: "flex",
                  width: `${((row.value ?? 0) / longest) * (row.bound ? 97 : 100)}%`,
                  background: row.color,
                }}
              />
              {row.bound && row.value !== null && (
                <svg aria-hidden="true" width="22" height={tight ? 12 : 16} viewBox="0 0 22 16">
                  <path
                    d={row.bound === "≥" ? "M4 1l7 7-7 7M12 1l7 7-7 7" : "M11 1L4 8l7 7M19 1l-7 7 7 7"}
                    fill="none"
                    stroke={INK}
                    strokeWidth="2"
                  />
                </svg>
              )}
            </div>
          </div>
        ))}
        {rows.length > shown.length && (
          <div style={{ display: "flex", marginTop: 8, fontSize: 22, color: INK_2 }}>
            {w.t("report.picture.more", { n: rows.length - shown.length })}
          </div>
        )}
      </div>
      <div style={footer}>
        <div style={{ display: "flex" }}>
          {text.line([run.host.name, run.host.os_name, run.host.arch].filter(Boolean).join(" · "), 70)}
        </div>
        <div style={{ display: "flex" }}>
          {text.line(w.moment(run.finished_at ?? snapshot.created_at), 30)}
        </div>
      </div>
    </div>
  );
}

/** The scenario that the picture is of. */
const scenarioLine = (w: Words, run: ReportRun): string => {
  const first = pictured(run);
  if (!first) return "";
  const title = w.title(first.title);
  const named = first.title.includes(first.tool) ? title : w.join([title, first.tool]);
  const more = run.scenarios.length - 1;
  return more > 0 ? w.t("report.picture.scenarios", { title: named, n: more }) : named;
};

const frame: CSSProperties = {
  display: "flex",
  flexDirection: "column",
  width: "100%",
  height: "100%",
  padding: "48px 60px 40px",
  background: "#fafaf8",
  color: INK,
  fontFamily: "Plex, Noto",
};
const footer: CSSProperties = {
  display: "flex",
  justifyContent: "space-between",
  marginTop: 26,
  paddingTop: 16,
  borderTop: "2px solid #d8d8d3",
  fontSize: 22,
  color: INK_2,
};
