import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { env } from "../src/env";
import { root } from "../src/paths";
import { fixture, linux, read, stubs } from "./install/fixture";

const f = fixture();
const calls = (): string => read(join(f.dir, "log/calls"));

const unit = read(join(root, "deploy/systemd/rigmark.service"));
/** As systemd reads it: sections of one name are one. */
const withPmic = `${unit}\n${read(join(root, "deploy/systemd/allow-pmic.conf"))}`;

test.runIf(linux).for([
  { name: "the system unit", text: unit },
  { name: "the unit that may ask a Raspberry Pi 5 for its power", text: withPmic },
])("$name stays closed to 2.0 of systemd's own scale", ({ text }, context) => {
  const file = join(f.dir, "rigmark.service");
  writeFileSync(file, text);
  let said = "";
  try {
    const asked = ["security", "--offline=yes", "--no-pager", file];
    said = execFileSync("systemd-analyze", asked, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    context.skip("systemd-analyze is not here, or is too old for --offline");
  }
  expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(said)?.[1])).toBeLessThanOrEqual(2);
});

/** What systemd would run, in a folder that stands for the machine. */
const lend = (setting: string, at: string): void => {
  const conf = read(join(root, "deploy/systemd/allow-tune.conf"));
  const [, shell = ""] = new RegExp(`^${setting}=\\+/bin/sh -c '(.*)'$`, "m").exec(conf) ?? [];
  const script = shell.replaceAll("$$", "$").replace(/ \/(sys|run)\//g, ` ${at}/$1/`);
  stubs(join(f.dir, "stub"), { chgrp: 'echo "chgrp $*" >>"$CALLS"', chown: 'echo "chown $*" >>"$CALLS"' });
  mkdirSync(join(f.dir, "log"), { recursive: true });
  const environment = { CALLS: join(f.dir, "log/calls"), PATH: `${f.dir}/stub:${env.PATH}` };
  execFileSync("sh", ["-c", script], { env: environment });
};

test.runIf(linux)("the owner's opt-in lends the service the files of --tune, and takes them back", () => {
  const at = join(f.dir, "machine");
  const files = [
    "sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
    "sys/devices/system/cpu/cpufreq/policy4/scaling_governor",
    "sys/devices/system/cpu/cpufreq/boost",
    "sys/kernel/mm/transparent_hugepage/enabled",
  ];
  for (const file of [...files, "run/keep", "sys/devices/system/cpu/online"]) {
    mkdirSync(join(at, file, ".."), { recursive: true });
    writeFileSync(join(at, file), "", { mode: 0o644 });
  }
  const modes = () => files.map((file) => statSync(join(at, file)).mode & 0o777);
  lend("ExecStartPre", at);
  expect(modes()).toEqual(files.map(() => 0o664));
  for (const file of files) expect(calls()).toContain(`chgrp rigmark ${at}/${file}\n`);
  expect(calls()).toContain(`chown rigmark:rigmark ${at}/run/rigmark-tuned\n`);
  expect(statSync(join(at, "sys/devices/system/cpu/online")).mode & 0o777).toBe(0o644);
  lend("ExecStopPost", at);
  expect(modes()).toEqual(files.map(() => 0o644));
  for (const file of files) expect(calls()).toContain(`chgrp root ${at}/${file}\n`);
});
