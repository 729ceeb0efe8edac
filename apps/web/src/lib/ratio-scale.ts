/** Between the ends of the scale and those of its picture, px. */
const EDGE = 4;
/** The scale goes at least from four fifths to five fourths of the baseline, so that noise looks small. */
const LEAST = Math.log(1.25);

/** Logarithmic, the baseline in the middle and better to the right: from a ratio to a place in px. */
export type RatioScale = (ratio: number) => number;

/** One scale for all ratios of a picture so wide, so that they can be compared. */
export function ratioScale(
  ratios: readonly { low: number; high: number }[],
  moreIsBetter: boolean,
  width: number,
): RatioScale {
  const ends = ratios.flatMap(({ low, high }) => [low, high]).filter((end) => end > 0);
  const reach = Math.max(LEAST, ...ends.map((end) => Math.abs(Math.log(end))));
  const half = width / 2;
  const sign = moreIsBetter ? 1 : -1;
  return (ratio) => half + ((sign * Math.log(Math.max(ratio, Math.exp(-reach)))) / reach) * (half - EDGE);
}
