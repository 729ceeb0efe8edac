import type { RunSketch } from "@rigmark/results";
import { rankingOf } from "@rigmark/results/ranking";
import { ratioScale } from "@/lib/ratio-scale";
import { styleAt } from "@/lib/series-style";

const WIDTH = 140;
const ROW = 8;
/** More entries are not drawn: a picture in a list is no table. */
const MOST = 8;

/** The intervals of a run's first scenario around its baseline, better ones to the right. The sentence beside it says the same in words. */
export function RunPicture({ sketch }: { sketch: RunSketch | null }) {
  const rows = (sketch?.entries ?? []).map((entry, place) => ({ ...entry, place })).filter((e) => e.ratio);
  // On a phone it stands where there is something to see.
  if (!sketch || rows.length === 0) return <div className="hidden md:block" />;
  const ratios = rows.flatMap(({ ratio }) => ratio ?? []);
  const x = ratioScale(ratios, rankingOf(sketch.metric).moreIsBetter, WIDTH);
  const shown = rows.slice(0, MOST);
  const height = shown.length * ROW + 4;
  return (
    <svg
      width={WIDTH}
      height={height}
      viewBox={`0 0 ${WIDTH} ${height}`}
      className="mt-1 max-w-full self-start"
      aria-hidden="true"
      data-run-picture
    >
      <line
        x1={WIDTH / 2}
        x2={WIDTH / 2}
        y1={0}
        y2={height}
        stroke="var(--line-strong)"
        strokeDasharray="2 2"
      />
      {shown.map(({ place, ratio, verdict }, row) => {
        if (!ratio) return null;
        const { hue } = styleAt(place);
        const y = 2 + row * ROW + ROW / 2;
        const [low, high] = [x(ratio.low), x(ratio.high)].sort((a, b) => a - b) as [number, number];
        return (
          <g key={place} opacity={verdict === "faster" || verdict === "slower" ? 1 : 0.55}>
            <rect
              x={low}
              y={y - 1.5}
              width={Math.max(high - low, 1)}
              height={3}
              fill={`var(--series-${hue})`}
              stroke={`var(--edge-${hue})`}
              strokeWidth={0.5}
            />
            <circle cx={x(ratio.estimate)} cy={y} r={2.5} fill={`var(--edge-${hue})`} />
          </g>
        );
      })}
    </svg>
  );
}
