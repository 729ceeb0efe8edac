import { Load, Scenario, ToolName, Workload } from "@rigmark/protocol";
import type { Leaderboard } from "@rigmark/results";
import { z } from "zod";

/** How a `loadKey` begins: id, tool, workload, path, load. */
const Key = z.tuple([z.string(), ToolName, Workload, Scenario.shape.path, Load], z.unknown());

/** What the tool sends and how, by a stored `loadKey`; null where it cannot be read. */
export function loadOf(key: string): Leaderboard["request"] {
  const found = Key.safeParse(parsed(key));
  if (!found.success) return null;
  const [, , , path, load] = found.data;
  return { path, load };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
