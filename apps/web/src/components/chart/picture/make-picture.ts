/** A chart as a file: always light and of one width, with its title and where it is from. Imported when one is asked for. */
import type { Words } from "@rigmark/messages";
import { type ChartData, chartHeight } from "../chart-data";
import { Chart, specOf } from "../chartjs";
import { fitText } from "../draw-text";
import { type ChartTheme, withLightTheme } from "../theme";
import { svgContext } from "./svg-context";
import { SvgPath } from "./svg-path";

const [WIDTH, EDGE, ABOVE, BELOW] = [960, 24, 56, 44];
const SCALE = 2;

interface PictureOf {
  data: ChartData;
  title: string;
  /** Below the chart: what it is of, and the address of its page. */
  source: string;
}

/** In pixels of a screen; a PNG has twice as many. */
const sizeOf = (data: ChartData) => ({ width: WIDTH, height: ABOVE + chartHeight(data) + BELOW });

export const pngOf = (w: Words, of: PictureOf): Promise<Blob> =>
  withLightTheme((theme) => {
    const { width, height } = sizeOf(of.data);
    const [picture, context] = blank(width * SCALE, height * SCALE);
    context.scale(SCALE, SCALE);
    paintFrame(context, theme, of);
    const [canvas] = blank(width - 2 * EDGE, chartHeight(of.data));
    const chart = draw(w, of.data, theme, canvas, SCALE);
    context.drawImage(canvas, EDGE, ABOVE, width - 2 * EDGE, chartHeight(of.data));
    chart.destroy();
    return new Promise((resolve, reject) =>
      picture.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
  });

export const svgOf = (w: Words, of: PictureOf): Blob =>
  withLightTheme((theme) => {
    const { width, height } = sizeOf(of.data);
    const frame = svgContext(blank(width, height)[1]);
    paintFrame(frame.context, theme, of);
    const [canvas, context] = blank(width - 2 * EDGE, chartHeight(of.data));
    const inner = svgContext(context);
    // Chart.js asks its canvas for the context.
    canvas.getContext = (() => inner.context) as unknown as typeof canvas.getContext;
    withSvgPaths(() => draw(w, of.data, theme, canvas, 1)).destroy();
    const svg = [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
      frame.svg(),
      `<g transform="translate(${EDGE} ${ABOVE})">${inner.svg()}</g>`,
      "</svg>\n",
    ].join("");
    return new Blob([svg], { type: "image/svg+xml" });
  });

function blank(width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  return [canvas, context];
}

/** At once, since nothing is animated. */
function draw(w: Words, data: ChartData, theme: ChartTheme, canvas: HTMLCanvasElement, scale: number): Chart {
  const config = specOf(w, data).build(theme);
  return new Chart(canvas, {
    ...config,
    options: { ...config.options, responsive: false, devicePixelRatio: scale },
  });
}

/** Chart.js collects its lines in a Path2D, which nobody can read: while it draws, it gets one that can be read. */
function withSvgPaths<T>(work: () => T): T {
  const before = globalThis.Path2D;
  globalThis.Path2D = SvgPath as unknown as typeof Path2D;
  try {
    return work();
  } finally {
    globalThis.Path2D = before;
  }
}

function paintFrame(context: CanvasRenderingContext2D, theme: ChartTheme, of: PictureOf): void {
  const { width, height } = sizeOf(of.data);
  context.fillStyle = theme.panel;
  context.fillRect(0, 0, width, height);
  context.textBaseline = "middle";
  context.font = `600 17px ${theme.font}`;
  context.fillStyle = theme.ink;
  context.fillText(fitText(context, of.title, width - 2 * EDGE), EDGE, 30);
  context.font = `400 12px ${theme.font}`;
  context.fillStyle = theme.ink2;
  context.fillText(fitText(context, of.source, width - 2 * EDGE), EDGE, height - 20);
}
