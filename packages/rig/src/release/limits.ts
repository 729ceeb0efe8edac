import { CommandError } from "../say";

const MIB = 2 ** 20;
/** What docs/release.md promises: a board downloads it, and keeps it on its card. */
const LIMITS_MIB = { program: 8, archive: 12 };

/** Throws where the agent for the target, or its archive, has become too large to be handed out. */
export function checkSize(what: keyof typeof LIMITS_MIB, target: string, bytes: number): void {
  const limit = LIMITS_MIB[what];
  if (bytes <= limit * MIB) return;
  const of = what === "program" ? "the agent" : "the agent's archive";
  throw new CommandError(
    `${of} for ${target} has ${(bytes / MIB).toFixed(2)} MiB, and at most ${limit} are allowed.`,
  );
}
