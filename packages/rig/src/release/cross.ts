import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { paths, root } from "../paths";
import type { Target } from "./targets";

/** Where zig is, for cargo-zigbuild, and the oldest macOS that starts what it links. */
export const zigEnv = {
  CARGO_ZIGBUILD_PYTHON_PATH: join(paths.tools, "zig", "bin", "python"),
  MACOSX_DEPLOYMENT_TARGET: "11.0",
};

/** No path of the machine that builds is in what it builds. */
const remapped = (...folders: string[]): string =>
  [...folders, `${join(homedir(), ".cargo")}=cargo`].map((map) => `--remap-path-prefix=${map}`).join(" ");

export const agentEnv = (): Record<string, string> => ({ ...zigEnv, RUSTFLAGS: remapped(`${root}=.`) });

/** A C compiler and an archiver for the target, as programs of one word each. */
export function compilers(target: Target): { cc: string; ar: string } {
  const folder = join(paths.tools, "cross", target.servers);
  mkdirSync(folder, { recursive: true });
  const write = (name: string, line: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\nexec cargo-zigbuild zig ${line} "$@"\n`);
    chmodSync(path, 0o755);
    return path;
  };
  return { cc: write("cc", `cc -- ${target.zig.join(" ")}`), ar: write("ar", "ar") };
}

/**
 * What makes the build steps of a server.toml build for the target. `folder` is where the server's source is; what is built
 * is beside it.
 */
export function crossEnv(target: Target, folder: string): Record<string, string> {
  const { cc, ar } = compilers(target);
  const rust = target.servers.replaceAll("-", "_");
  return {
    ...zigEnv,
    ...target.go,
    CC: cc,
    AR: ar,
    ARCH: target.arch,
    // Without symbols: those of zig's own parts are larger than a server in C, and name its cache.
    LDFLAGS: target.os === "linux" ? "-s" : "",
    CARGO_BUILD_TARGET: target.servers,
    [`CARGO_TARGET_${rust.toUpperCase()}_LINKER`]: cc,
    [`CC_${rust}`]: cc,
    [`AR_${rust}`]: ar,
    CARGO_PROFILE_RELEASE_STRIP: "true",
    // Of several that fit, rustc takes the last one.
    RUSTFLAGS: remapped(`${dirname(folder)}=build`, `${folder}=.`),
    // Only what was made for the target is found.
    PKG_CONFIG_LIBDIR: join(paths.tools, "cross", target.servers, "lib", "pkgconfig"),
  };
}
