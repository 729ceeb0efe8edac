import { createHash } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Files that get their names all at once, at the end: hosts download from the folder while it is filled, and each archive
 * must be what SHA256SUMS says.
 */
export class Staging {
  private readonly names = new Set<string>();

  constructor(private readonly folder: string) {}

  /** Returns what a list says of the file. */
  put(name: string, data: Buffer): { bytes: number; sha256: string } {
    this.names.add(name);
    writeFileSync(this.beside(name), data, { mode: 0o644 });
    return { bytes: data.length, sha256: createHash("sha256").update(data).digest("hex") };
  }

  /** A file that another release, which is under way, will give its name. */
  static isOfAnother(name: string): boolean {
    const pid = Number(/\.(\d+)\.new$/.exec(name)?.[1]);
    if (!pid || pid === process.pid) return false;
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  }

  /** In the order in which they were put. */
  publish(): void {
    for (const name of this.names) {
      renameSync(this.beside(name), join(this.folder, name));
      this.names.delete(name);
    }
  }

  /** After an error: what has no name yet goes. */
  discard(): void {
    for (const name of this.names) rmSync(this.beside(name), { force: true });
  }

  /** Of this process: another release may be under way. */
  private readonly beside = (name: string): string => join(this.folder, `${name}.${process.pid}.new`);
}
