import type { SeriesStyle, Shape } from "@/lib/series-style";

const FILLED: Partial<Record<Shape, string>> = {
  rect: "M2.5 2.5h7v7h-7z",
  triangle: "M6 2l4.3 7.6H1.7z",
  rectRot: "M6 1.2L10.8 6 6 10.8 1.2 6z",
};
const STROKED: Partial<Record<Shape, string>> = {
  cross: "M6 1.5v9M1.5 6h9",
  crossRot: "M2.5 2.5l7 7M9.5 2.5l-7 7",
  star: "M6 1.5v9M1.5 6h9M2.8 2.8l6.4 6.4M9.2 2.8L2.8 9.2",
  line: "M1 6h10",
};

/** The point that stands for an entry in every chart, beside its name in text. */
export function SeriesGlyph({ style }: { style: SeriesStyle }) {
  const fill = `var(--series-${style.hue})`;
  const edge = `var(--edge-${style.hue})`;
  const filled = FILLED[style.shape];
  const stroked = STROKED[style.shape];
  return (
    <svg
      viewBox="0 0 12 12"
      width={12}
      height={12}
      aria-hidden="true"
      className="inline-block flex-none align-[-1px]"
    >
      {style.shape === "circle" && <circle cx="6" cy="6" r="4" fill={fill} stroke={edge} strokeWidth="1.3" />}
      {filled && <path d={filled} fill={fill} stroke={edge} strokeWidth="1.3" />}
      {stroked && <path d={stroked} fill="none" stroke={edge} strokeWidth="2.2" />}
    </svg>
  );
}
