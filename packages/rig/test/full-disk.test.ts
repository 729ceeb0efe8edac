import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "../src/paths";
import { asRoot, canMount, type Done, run } from "./install/fixture";

const dir = mkdtempSync(join(tmpdir(), "rigmark-full-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** Runs ./rig in a checkout on a full disk of its own; in place of Node is what says how it was called. */
const rig = (command: string, node = "24.0.0"): Promise<Done> => {
  const at = join(dir, "checkout");
  mkdirSync(at, { recursive: true });
  const script = `set -e
    mount -t tmpfs -o size=1m none ${at}
    cd ${at}
    mkdir -p packages/rig .rig/tools/bin .rig/stamps
    cp ${root}/rig . && cp -R ${root}/packages/rig/sh packages/rig/
    echo '{"schema":1}' >.rig/state.json && : >.rig/stamps/packages
    printf '%s\\n' '#!/bin/sh' 'if [ "$1" = -p ]; then echo ${node}; else echo "node $*"; fi' >.rig/tools/bin/node
    chmod 755 .rig/tools/bin/node
    head -c 2000000 /dev/zero >filler 2>/dev/null || true
    exec ./rig ${command}`;
  return run("unshare", [...asRoot, "sh", "-c", script]);
};

test.runIf(canMount)("./rig down works on a full disk, and what needs room says so", async () => {
  const down = await rig("down");
  expect([down.code, down.said]).toEqual([0, "node --import tsx src/main.ts down\n"]);
  const needs = /^rig: the disk that holds \S+ has 0 MB free, and this needs 200 MB: free some space/;
  for (const done of [await rig("up"), await rig("down", "18.0.0")])
    expect([done.code, done.said]).toEqual([1, expect.stringMatching(needs)]);
});
