interface DensityStep {
  us: number;
  /** 0 to 1, of the most crowded place. */
  height: number;
}

const STEPS = 64;
/** The kernel's width, in parts of the whole axis: wide enough that the steps of a curve do not show. */
const SMOOTH = 1 / 45;
const PARTS = 4;

/**
 * Where requests lie on a log scale, from the percentiles of their histogram: between two of them their share is spread
 * evenly, then smoothed. `decades` is the width of the whole axis, so that all shapes of a chart are equally smooth.
 */
export function densityOf(points: readonly { p: number; us: number }[], decades: number): DensityStep[] {
  const known = points.filter(({ us }) => us > 0).map(({ p, us }) => ({ p, x: Math.log10(us) }));
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || known.length < 2) return [];
  const width = Math.max(decades * SMOOTH, 1e-3);
  const masses = known.slice(1).flatMap((point, i) => {
    const before = known[i] ?? first;
    const share = (point.p - before.p) / PARTS;
    return Array.from({ length: PARTS }, (_, part) => ({
      share,
      x: before.x + ((point.x - before.x) * (part + 0.5)) / PARTS,
    }));
  });
  const at = (x: number): number =>
    masses.reduce((sum, mass) => sum + mass.share * Math.exp(-(((x - mass.x) / width) ** 2) / 2), 0);
  // Requests that all took equally long have a shape, too.
  const reach = Math.max(last.x - first.x, width);
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => {
    const x = first.x + (reach * step) / STEPS;
    return { x, height: at(x) };
  });
  const highest = Math.max(...steps.map(({ height }) => height));
  return steps.map(({ x, height }) => ({
    us: Number((10 ** x).toPrecision(5)),
    height: Number((height / highest).toFixed(3)),
  }));
}
