import type { ChildProcess } from "node:child_process";
import { whenInterrupted } from "../interrupt";

const children = new Set<ChildProcess>();
let listening = false;

/** A server or a load: an interrupt ends it. By itself a load would not notice, since most of the time it is stopped. */
export function owned(child: ChildProcess): ChildProcess {
  if (!listening) whenInterrupted(async () => endAll());
  listening = true;
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

function endAll(): void {
  for (const child of children) {
    child.kill("SIGTERM");
    child.kill("SIGCONT");
  }
}
