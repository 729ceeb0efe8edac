import { closeSync, openSync, readSync, watch } from "node:fs";
import { StringDecoder } from "node:string_decoder";

/** Shows each whole line of a log, and what is added to it, behind the name of who writes it. Returns what ends it. */
export function follow(name: string, log: string): () => void {
  const file = openSync(log, "r");
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.alloc(65_536);
  let begun = "";
  const read = (): void => {
    for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer)) {
      const lines = (begun + decoder.write(buffer.subarray(0, count))).split("\n");
      begun = lines.pop() ?? "";
      for (const line of lines) process.stderr.write(`${name.padEnd(5)} | ${line}\n`);
    }
  };
  const watcher = watch(log, read);
  read();
  return () => {
    watcher.close();
    read();
    closeSync(file);
  };
}
