import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export const Packed = z.object({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  kind: z.enum(["agent", "debian", "servers", "k6"]),
  version: z.string(),
  /** What the archive runs on: a Rust target, or what k6's archives are named after. */
  target: z.string(),
  bytes: z.int(),
  sha256: z.string(),
});
export type Packed = z.infer<typeof Packed>;

const Manifest = z.object({ files: z.array(Packed) });

/** What earlier releases of these versions left beside the files that were packed now, unchanged. */
export function others(
  folder: string,
  packed: readonly Pick<Packed, "name">[],
  versions: { own: string; k6: string },
): Packed[] {
  const made = new Set(packed.map(({ name }) => name));
  return listed(folder).filter(({ name, kind, version, sha256 }) => {
    const file = join(folder, name);
    if (made.has(name) || version !== (kind === "k6" ? versions.k6 : versions.own) || !existsSync(file))
      return false;
    return createHash("sha256").update(readFileSync(file)).digest("hex") === sha256;
  });
}

function listed(folder: string): Packed[] {
  try {
    return Manifest.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))).files;
  } catch {
    // There is no release yet, or one that cannot be read.
    return [];
  }
}
