import { CommandError } from "../say";

/** The number of a bench's only option. The launcher's shell has looked at it already. */
export function numberOf(
  bench: string,
  option: string,
  usual: number,
  [flag, value]: readonly string[],
): number {
  if (flag === undefined) return usual;
  const found = Number(flag === option ? value : Number.NaN);
  if (Number.isInteger(found) && found > 0) return found;
  throw new CommandError(`${bench} takes ${option} and a number.`, { exit: 2 });
}
