/**
 * Stands in for @kurkle/color, which Chart.js has to mix colors for hovering and for animations. Figures name all
 * their colors and never animate, and readers of a report should not pay for it.
 */
export class Color {
  readonly valid = false;
  constructor(private readonly input: unknown) {}
  saturate(): this {
    return this;
  }
  darken(): this {
    return this;
  }
  mix(): this {
    return this;
  }
  hexString(): string {
    return String(this.input);
  }
  rgbString(): string {
    return String(this.input);
  }
}
