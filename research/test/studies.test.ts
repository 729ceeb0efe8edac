import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { studies } from "../src/studies";

test("./rig starts each study from this folder, and no bench of the launcher", () => {
  const rig = readFileSync(join(import.meta.dirname, "../../rig"), "utf8");
  const patterns = /^ *(.*)\) cd "\$root\/research" ;;$/m.exec(rig)?.[1] ?? "";
  const script = `case "bench $1" in ${patterns}) exit 0 ;; *) exit 1 ;; esac`;
  const isHere = (name: string) => spawnSync("sh", ["-c", script, "sh", name]).status === 0;
  expect(Object.keys(studies).filter((name) => !isHere(name))).toEqual([]);
  expect(["", "live", "web"].filter(isHere)).toEqual([]);
});
