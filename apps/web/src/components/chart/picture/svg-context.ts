import { SvgPath } from "./svg-path";

type Context = CanvasRenderingContext2D;

/** What a viewer without the page's typeface has instead. */
const FAMILY = "'IBM Plex Sans', Helvetica, Arial, sans-serif";
const ANCHORS: Partial<Record<CanvasTextAlign, string>> = { right: "end", end: "end", center: "middle" };
/** How far below its anchor the baseline of a text is, in parts of its size. */
const BASELINES: Partial<Record<CanvasTextBaseline, number>> = { middle: 0.35, top: 0.8, bottom: -0.2 };

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** A color as canvases write it, `#0072b2` or `rgba(22, 23, 26, 0.055)`, as attributes that every viewer knows. */
export function paint(of: "fill" | "stroke", color: string): string {
  const alpha = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(color);
  if (!alpha) return `${of}="${escaped(color)}"`;
  const [, red, green, blue, opacity] = alpha;
  return `${of}="rgb(${red},${green},${blue})" ${of}-opacity="${opacity}"`;
}

/**
 * A context that draws nothing and writes SVG instead. Its canvas measures text and holds colors, fonts and transforms.
 * It knows what Chart.js and the plugins beside it call.
 */
export function svgContext(canvas: Context): { context: Context; svg: () => string } {
  const marks: string[] = [];
  const outer: (string | null)[] = [];
  let path = new SvgPath();
  let clip: string | null = null;
  let clips = 0;

  const transform = (): string => {
    const { a, b, c, d, e, f } = canvas.getTransform();
    const moved = a !== 1 || b !== 0 || c !== 0 || d !== 1 || e !== 0 || f !== 0;
    return moved ? ` transform="matrix(${[a, b, c, d, e, f].join(" ")})"` : "";
  };
  /** Its place and what it is clipped by. What is moved is clipped from outside, or the clip would move with it. */
  const mark = (name: string, attributes: string, inside?: string) => {
    const moved = transform();
    const clipped = clip === null ? "" : ` clip-path="url(#${clip})"`;
    const open = `<${name} ${attributes}${moved || clipped}`;
    const element = inside === undefined ? `${open}/>` : `${open}>${inside}</${name}>`;
    marks.push(moved && clipped ? `<g${clipped}>${element}</g>` : element);
  };
  const fill = (of: SvgPath, rule: unknown) => {
    if (of.d === "") return;
    const evenOdd = rule === "evenodd" ? ' fill-rule="evenodd"' : "";
    mark("path", `d="${of.d}" ${paint("fill", String(canvas.fillStyle))}${evenOdd}`);
  };
  const stroke = (of: SvgPath) => {
    if (of.d === "") return;
    const dash = canvas.getLineDash();
    const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    const line = `${paint("stroke", String(canvas.strokeStyle))} stroke-width="${canvas.lineWidth}"${dashes}`;
    const ends = `stroke-linecap="${canvas.lineCap}" stroke-linejoin="${canvas.lineJoin}"`;
    mark("path", `d="${of.d}" fill="none" ${line} ${ends}`);
  };
  const box = (x: number, y: number, width: number, height: number): SvgPath => {
    const made = new SvgPath();
    made.rect(x, y, width, height);
    return made;
  };

  const own: Record<string, unknown> = {
    save: () => {
      outer.push(clip);
      canvas.save();
    },
    restore: () => {
      clip = outer.pop() ?? null;
      canvas.restore();
    },
    beginPath: () => {
      path = new SvgPath();
    },
    moveTo: (x: number, y: number) => path.moveTo(x, y),
    lineTo: (x: number, y: number) => path.lineTo(x, y),
    quadraticCurveTo: (...of: Parameters<SvgPath["quadraticCurveTo"]>) => path.quadraticCurveTo(...of),
    bezierCurveTo: (...of: Parameters<SvgPath["bezierCurveTo"]>) => path.bezierCurveTo(...of),
    rect: (...of: Parameters<SvgPath["rect"]>) => path.rect(...of),
    arc: (...of: Parameters<SvgPath["arc"]>) => path.arc(...of),
    closePath: () => path.closePath(),
    clip: () => {
      clips += 1;
      clip = `clip-${clips}`;
      marks.push(`<clipPath id="${clip}"><path d="${path.d}"${transform()}/></clipPath>`);
    },
    fill: (rule: unknown) => fill(path, rule),
    stroke: (of: unknown) => stroke(of instanceof SvgPath ? of : path),
    fillRect: (...of: Parameters<SvgPath["rect"]>) => fill(box(...of), null),
    strokeRect: (...of: Parameters<SvgPath["rect"]>) => stroke(box(...of)),
    clearRect: () => undefined,
    fillText: (text: string, x: number, y: number) => {
      const [, weight = "400", size = "12"] = /^(?:.*?\b(\d{3}|bold) )?.*?([\d.]+)px/.exec(canvas.font) ?? [];
      const anchor = ANCHORS[canvas.textAlign] ?? "start";
      const baseline = y + (BASELINES[canvas.textBaseline] ?? 0) * Number(size);
      const font = `font-size="${size}" font-weight="${weight}" text-anchor="${anchor}"`;
      mark(
        "text",
        `x="${x.toFixed(2)}" y="${baseline.toFixed(2)}" ${font} ${paint("fill", String(canvas.fillStyle))}`,
        escaped(text),
      );
    },
  };
  const context = new Proxy(canvas, {
    get: (of, name) => {
      if (typeof name === "string" && Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === "function" ? value.bind(of) : value;
    },
    set: (of, name, value) => Reflect.set(of, name, value, of),
  });
  return {
    context,
    svg: () => `<g font-family="${FAMILY}" font-variant-numeric="tabular-nums">${marks.join("")}</g>`,
  };
}
