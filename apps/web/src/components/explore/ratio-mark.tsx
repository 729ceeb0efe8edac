import type { LeaderboardRow } from "@rigmark/results";
import type { ReactNode } from "react";
import type { RatioScale } from "@/lib/ratio-scale";

export const MARK_WIDTH = 180;
const [WIDTH, HEIGHT] = [MARK_WIDTH, 36];

type Ratio = LeaderboardRow["ratio"];

/** As wide as a mark, with what stands in its middle. */
export const RatioMarkHead = ({ children }: { children: ReactNode }) => (
  <span className="block text-center" style={{ width: WIDTH }}>
    {children}
  </span>
);

/** The ratio and its interval around nginx. The cell beside it says the same in figures. */
export function RatioMark({ ratio, scale }: { ratio: Ratio; scale: RatioScale }) {
  const [low, high] = [scale(ratio.low), scale(ratio.high)].sort((a, b) => a - b) as [number, number];
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      className="block"
    >
      <line
        x1={WIDTH / 2}
        x2={WIDTH / 2}
        y1={0}
        y2={HEIGHT}
        stroke="var(--line-strong)"
        strokeDasharray="2 2"
      />
      <rect
        x={low}
        y={HEIGHT / 2 - 2}
        width={Math.max(high - low, 1)}
        height={4}
        fill="var(--series-1)"
        stroke="var(--edge-1)"
        strokeWidth={0.5}
      />
      <circle cx={scale(ratio.estimate)} cy={HEIGHT / 2} r={3.5} fill="var(--edge-1)" />
    </svg>
  );
}
