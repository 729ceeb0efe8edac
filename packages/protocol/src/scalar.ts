import { z } from "zod";

/** Limits that bound everything an agent may send; a longer string is refused, never cut in silence. */
export const LIMITS = {
  chunk_bytes: 256 * 1024,
  line_bytes: 64 * 1024,
  log_line_chars: 4096,
  message_chars: 2000,
  name_chars: 200,
} as const;

/** UUID (version 7 by convention; made by whoever creates the thing). */
export const Id = z.uuid();
/** Lower-case hexadecimal sha256, 64 characters. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A folder-like name: servers, scenarios, tools, suites, options. */
export const Slug = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/);
/**
 * A scenario as a run names it: its name, and after a colon the numbers that are set of it, as in
 * `files-1k-ab:connections=200,duration=5s`. Such a scenario's results stand beside those of the plain one, not among them.
 */
export const ScenarioRef = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}(:(connections|duration|in_flight|rate)=[0-9.]{1,12}s?(,(connections|duration|in_flight|rate)=[0-9.]{1,12}s?){0,3})?$/,
  );
/** A commit, branch or tag as a run names it: what git allows in a name, and nothing that a command could take for an option. */
export const Reference = z
  .string()
  .max(LIMITS.name_chars)
  .regex(
    /^[^-\p{Cc}\p{Cs}\s~^:?*[\\][^\p{Cc}\p{Cs}\s~^:?*[\\]*$/u,
    "a commit, branch or tag has no spaces, none of ~ ^ : ? * [ \\, and no hyphen at its start",
  );
/** What a person called an entry. Any printable text; pages treat it as data. */
export const Label = z.string().min(1).max(80);
export const Name = z.string().max(LIMITS.name_chars);
export const Message = z.string().max(LIMITS.message_chars);
/** A count, or a cumulative counter. Safe in a double. */
export const Count = z.int().min(0);
/** A count that fits 32 bits: places, numbers of things in a run. */
export const Count32 = Count.max(2 ** 31 - 1);
/** Number of an attempt, from 1. */
export const AttemptNo = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);
/** A length of time that somebody may wait for: at most three years. */
export const Seconds = z.number().min(0).max(1e8);
/** Microseconds on the sender's monotonic clock. */
export const MonotonicUs = z.int().min(0);
/** Microseconds since the Unix epoch. */
export const WallUs = z.int().min(0);
/** A measured quantity; never NaN, never infinite, never negative. */
export const Quantity = z.number().min(0);
/** Seed of a plan: below 2^53, so that it survives JSON. */
export const Seed = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** For lists whose things are called by name. */
export const unique = (names: readonly string[]): boolean => new Set(names).size === names.length;
