import type { WatchEvent } from "@rigmark/results";
import type { Place } from "./place";

/** What one look at the rows brought: everything of an attempt after `from`, up to `upTo`. */
export interface Round {
  /** Each is one more than the round before it. */
  no: number;
  attemptNo: number;
  from: number;
  upTo: number;
  /** All viewers get the same list. As it is frozen, the api writes it once. */
  events: readonly WatchEvent[];
}

/** The newest rounds, for viewers that are slow or come back. What is not here is read from the database. */
export interface Ring {
  push(round: Round): void;
  get(no: number): Round | undefined;
  /** Points and lines after a place; null where they do not begin at it, or are not all here. */
  since(place: Place): WatchEvent[] | null;
  /** Characters that it keeps. */
  size(): number;
}

/** About half a minute of a run that changes each second, and less of one that prints a lot. */
const MOST = { rounds: 32, characters: 1_000_000 };

export function openRing(most = MOST): Ring {
  let kept: { round: Round; size: number }[] = [];
  const size = () => kept.reduce((sum, each) => sum + each.size, 0);
  return {
    size,
    push: (round) => {
      kept = [...kept, { round, size: JSON.stringify(round.events).length }].slice(-most.rounds);
      while (kept.length > 1 && size() > most.characters) kept.shift();
    },
    get: (no) => kept.find(({ round }) => round.no === no)?.round,
    since: ({ attemptNo, seq }) => {
      const rounds = kept.map(({ round }) => round).filter((r) => r.attemptNo === attemptNo);
      const first = rounds.findIndex((r) => r.from === seq);
      if (first < 0) return null;
      return rounds
        .slice(first)
        .flatMap((r) => r.events.filter((e) => e.kind === "points" || e.kind === "logs"));
    },
  };
}
