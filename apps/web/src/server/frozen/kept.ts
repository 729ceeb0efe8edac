/** What may be kept of something: how much space it takes. */
interface Sized {
  bytes: number;
}

/** Things that are made or wait for that; each may take a second. */
const MOST_MAKING = 64;
/** One more would wait too long. */
export class TooManyError extends Error {}

interface Making<T> {
  made: Promise<T>;
  /** Of each that waits for it: ends when they have gone. */
  gone: (AbortSignal | undefined)[];
}

/**
 * Makes each thing once, one at a time, and keeps it until newer ones need the space. Whoever asks for a thing that is
 * being made waits for that one. What nobody waits for any more is not made.
 */
export class Kept<T extends Sized> {
  readonly #most: number;
  readonly #kept = new Map<string, T>();
  readonly #making = new Map<string, Making<T>>();
  #bytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** `worth`: whether what was made is kept. */
  async get(
    key: string,
    make: () => Promise<T>,
    worth: (made: T) => boolean = () => true,
    asker?: AbortSignal,
  ): Promise<T> {
    const known = this.#kept.get(key);
    if (known) {
      // The map is in the order of last use.
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const under = this.#making.get(key);
    if (under) {
      under.gone.push(asker);
      return under.made;
    }
    if (this.#making.size >= MOST_MAKING) throw new TooManyError();
    const gone = [asker];
    const made = this.#last.then(() => {
      if (gone.every((signal) => signal?.aborted)) throw new Error("Nobody waits for it any more.");
      return make();
    });
    this.#last = made.catch(() => undefined);
    this.#making.set(key, { made, gone });
    try {
      const done = await made;
      if (worth(done)) this.#keep(key, done);
      return done;
    } finally {
      this.#making.delete(key);
    }
  }

  #keep(key: string, made: T): void {
    if (made.bytes > this.#most) return;
    this.#kept.set(key, made);
    this.#bytes += made.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#most) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
