import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { capture, must } from "../exec";
import { paths, root } from "../paths";
import { CommandError } from "../say";
import { compilers, zigEnv } from "./cross";
import type { Target } from "./targets";

const manifest = join(root, "deploy", "liburing", "Cargo.toml");

/** Builds it for the target where pkg-config finds it (`crossEnv`), once. Returns its name and version. */
export async function buildLiburing(target: Target): Promise<string> {
  const version = /axboe-liburing = "=([^"]+)"/.exec(readFileSync(manifest, "utf8"))?.[1];
  if (!version) throw new CommandError(`${manifest} does not pin axboe-liburing.`);
  const prefix = join(paths.tools, "cross", target.servers);
  const stamp = join(prefix, `liburing-${version}`);
  if (existsSync(join(prefix, "lib", "pkgconfig", "liburing.pc")) && existsSync(stamp))
    return `liburing ${version}`;
  rmSync(stamp, { recursive: true, force: true });
  cpSync(await sourceOf(), stamp, { recursive: true });
  const { cc, ar } = compilers(target);
  const options = {
    cwd: stamp,
    env: { ...zigEnv, AR: ar, RANLIB: "true" },
    log: `liburing-${target.servers}`,
  };
  const what = `liburing for ${target.servers}`;
  // Its own replacement of libc is for gcc only.
  await must(what, "./configure", [`--prefix=${prefix}`, `--cc=${cc}`, "--use-libc"], options);
  const make = ["-C", "src", "ENABLE_SHARED=0", `AR=${ar}`, "RANLIB=true"];
  await must(what, "make", make, options);
  await must(what, "make", [...make, "install"], options);
  await must(what, "make", ["liburing.pc"], options);
  cpSync(join(stamp, "liburing.pc"), join(prefix, "lib", "pkgconfig", "liburing.pc"));
  return `liburing ${version}`;
}

/** Where Cargo keeps the crate, whose whole content is liburing's tree. */
async function sourceOf(): Promise<string> {
  const said = await capture("cargo", [
    "metadata",
    "--format-version",
    "1",
    "--locked",
    "--manifest-path",
    manifest,
  ]);
  if (said.code !== 0) throw new CommandError(`liburing could not be fetched: ${said.stderr.trim()}`);
  const { packages } = JSON.parse(said.stdout) as { packages: { name: string; manifest_path: string }[] };
  const found = packages.find((one) => one.name === "axboe-liburing");
  if (!found) throw new CommandError(`${manifest} brings no axboe-liburing.`);
  return dirname(found.manifest_path);
}
