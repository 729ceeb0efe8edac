/**
 * Whose turn it is: a row for each round, in it every contender (0 … count - 1) once. Rows come in twos, a random order
 * and its mirror (A B C, C B A), so that what drifts evenly over two rounds drifts for all alike. Random, because the
 * turn before is felt: in a fixed order whoever stands at an end follows itself into warm caches in every second
 * round, and was measured up to 6 % cheaper than the same program in the middle.
 */
export function orders(count: number, rounds: number, random: () => number = Math.random): number[][] {
  const rows: number[][] = [];
  while (rows.length < rounds) {
    const row = shuffled(count, random);
    rows.push(row, [...row].reverse());
  }
  return rows.slice(0, rounds);
}

/** In which place of each round this contender has its turn. */
export const placesOf = (index: number, rows: readonly (readonly number[])[]): number[] =>
  rows.map((row) => row.indexOf(index));

/**
 * Which rounds count, for all alike: not those in which the host took clearly more of a turn than in the median round.
 * So at least half of them remain; where others are always busy it is all. Decided from the host's counters alone
 * (`taken`, of each turn), never from what a server did.
 */
export function quietRounds(turns: readonly (readonly number[])[], clearly = 0.1): number[] {
  const worst = turns.map((round) => Math.max(...round));
  const sorted = [...worst].sort((a, b) => a - b);
  const limit = clearly + (sorted[Math.ceil(sorted.length / 2) - 1] ?? 0);
  return worst.flatMap((share, at) => (share <= limit ? [at] : []));
}

/** 0 … count - 1 in a random order (Fisher and Yates). */
export function shuffled(count: number, random: () => number = Math.random): number[] {
  const row = Array.from({ length: count }, (_, at) => at);
  for (let left = count - 1; left > 0; left -= 1) {
    const at = Math.floor(random() * (left + 1));
    const moved = row[at] as number;
    row[at] = row[left] as number;
    row[left] = moved;
  }
  return row;
}
