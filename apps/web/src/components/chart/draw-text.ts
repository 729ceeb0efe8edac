/** Cuts text to a width, with an ellipsis; labels come from agents and may be of any length. */
export function fitText(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  if (width <= 0) return "";
  if (ctx.measureText(text).width <= width) return text;
  const chars = [...text];
  let low = 0;
  let high = chars.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (ctx.measureText(`${chars.slice(0, middle).join("")}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : `${chars.slice(0, low).join("").trimEnd()}…`;
}
