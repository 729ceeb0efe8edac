const round = (n: number): number => Math.round(n * 100) / 100;
const at = (x: number, y: number): string => `${round(x)} ${round(y)}`;

/** A path with the methods of a canvas, written as SVG has it. */
export class SvgPath {
  d = "";

  moveTo(x: number, y: number): void {
    this.d += `M${at(x, y)}`;
  }

  lineTo(x: number, y: number): void {
    this.d += `${this.d === "" ? "M" : "L"}${at(x, y)}`;
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.d += `Q${at(cx, cy)} ${at(x, y)}`;
  }

  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.d += `C${at(ax, ay)} ${at(bx, by)} ${at(x, y)}`;
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.d += `M${at(x, y)}h${round(width)}v${round(height)}h${round(-width)}Z`;
  }

  arc(x: number, y: number, radius: number, from: number, to: number, counterclockwise = false): void {
    const r = round(radius);
    const span = counterclockwise ? from - to : to - from;
    if (Math.abs(span) >= 2 * Math.PI - 1e-6) {
      this.d += `M${at(x - radius, y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
      return;
    }
    const turn = (span + 2 * Math.PI) % (2 * Math.PI);
    this.lineTo(x + radius * Math.cos(from), y + radius * Math.sin(from));
    const end = at(x + radius * Math.cos(to), y + radius * Math.sin(to));
    this.d += `A${r} ${r} 0 ${turn > Math.PI ? 1 : 0} ${counterclockwise ? 0 : 1} ${end}`;
  }

  closePath(): void {
    this.d += "Z";
  }
}
