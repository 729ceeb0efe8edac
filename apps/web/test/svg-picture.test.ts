import { describe, expect, it } from "vitest";
import { paint, svgContext } from "@/components/chart/picture/svg-context";
import { SvgPath } from "@/components/chart/picture/svg-path";

/** A canvas as far as a picture asks it: it keeps what is set, and stands where it stood. */
const canvas = (): CanvasRenderingContext2D =>
  ({
    fillStyle: "#0072b2",
    strokeStyle: "#16171a",
    lineWidth: 2,
    lineCap: "butt",
    lineJoin: "miter",
    font: '600 13px "IBM Plex Sans"',
    textAlign: "right",
    textBaseline: "middle",
    save: () => undefined,
    restore: () => undefined,
    getLineDash: () => [6, 3],
    getTransform: () => ({ a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }),
    measureText: (text: string) => ({ width: text.length * 7 }),
  }) as unknown as CanvasRenderingContext2D;

describe("a chart as SVG", () => {
  it("has its bars, lines and words, and escapes what an agent wrote", () => {
    const { context, svg } = svgContext(canvas());
    context.fillRect(1, 2, 30, 4);
    context.beginPath();
    context.moveTo(0, 0);
    context.lineTo(10.004, 5);
    context.stroke();
    context.fillText('<b>"a" & b</b>', 100, 20);
    expect(svg()).toContain('<path d="M1 2h30v4h-30Z" fill="#0072b2"/>');
    expect(svg()).toContain('<path d="M0 0L10 5" fill="none" stroke="#16171a" stroke-width="2"');
    expect(svg()).toContain('stroke-dasharray="6 3"');
    expect(svg()).toContain('font-size="13" font-weight="600" text-anchor="end"');
    expect(svg()).toContain("&lt;b&gt;&quot;a&quot; &amp; b&lt;/b&gt;</text>");
    expect(context.measureText("four").width).toBe(28);
  });

  it("cuts off what is drawn outside of a clip, until the state before it is back", () => {
    const { context, svg } = svgContext(canvas());
    context.save();
    context.beginPath();
    context.rect(0, 0, 5, 5);
    context.clip();
    context.fillRect(1, 1, 9, 9);
    context.restore();
    context.fillRect(2, 2, 9, 9);
    expect(svg()).toMatch(/<clipPath id="clip-1"><path d="M0 0h5v5h-5Z"\/><\/clipPath>/);
    expect(svg().match(/clip-path="url\(#clip-1\)"/g)).toHaveLength(1);
  });

  it("leaves a clip where it is when what it cuts off is moved, as the words on an axis are", () => {
    const moved = { ...canvas(), getTransform: () => ({ a: 1, b: 0, c: 0, d: 1, e: 70, f: 80 }) };
    const { context, svg } = svgContext(moved as unknown as CanvasRenderingContext2D);
    context.beginPath();
    context.rect(0, 0, 5, 5);
    context.clip();
    context.fillText("50 µs", 0, 0);
    expect(svg()).toMatch(
      /<g clip-path="url\(#clip-1\)"><text [^>]*transform="matrix\(1 0 0 1 70 80\)">50 µs<\/text><\/g>/,
    );
    // Made where the canvas stood then.
    expect(svg()).toContain('<path d="M0 0h5v5h-5Z" transform="matrix(1 0 0 1 70 80)"/>');
  });

  it("draws what a Path2D would have collected", () => {
    const { context, svg } = svgContext(canvas());
    const line = new SvgPath();
    line.moveTo(3, 4);
    line.lineTo(5, 6);
    context.stroke(line as unknown as Path2D);
    expect(svg()).toContain('d="M3 4L5 6"');
  });

  it("writes a circle as two halves, and a transparent color without rgba, which not every viewer knows", () => {
    const circle = new SvgPath();
    circle.arc(10, 10, 4, 0, 2 * Math.PI);
    expect(circle.d).toBe("M6 10a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z");
    expect(paint("fill", "rgba(22, 23, 26, 0.055)")).toBe('fill="rgb(22,23,26)" fill-opacity="0.055"');
  });
});
