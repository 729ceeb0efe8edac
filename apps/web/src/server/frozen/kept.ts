/** What may be kept of something: how much space it takes. */
interface Sized {
  bytes: number;
}

/**
 * Makes each thing once, one at a time, and keeps it until newer ones need the space. Whoever asks for a thing that is
 * being made waits for that one.
 */
export class Kept<T extends Sized> {
  readonly #most: number;
  readonly #kept = new Map<string, T>();
  readonly #making = new Map<string, Promise<T>>();
  #bytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** `worth`: whether what was made is kept. */
  async get(key: string, make: () => Promise<T>, worth: (made: T) => boolean = () => true): Promise<T> {
    const known = this.#kept.get(key);
    if (known) {
      // The map is in the order of last use.
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const under = this.#making.get(key);
    if (under) return under;
    const making = this.#last.then(make);
    this.#last = making.catch(() => undefined);
    this.#making.set(key, making);
    try {
      const made = await making;
      if (worth(made)) this.#keep(key, made);
      return made;
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
