import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { childEnv } from "../exec";
import { CommandError } from "../say";
import { bytesRead, isRunning } from "./procfs";
import type { Answer } from "./servers-ask";
import { type Running, TOOL_CORE } from "./servers-start";

/** Longer than any comparison: the load is ended, it does not end. */
const FOR_S = 3600;
/** After the tool stands still the server may still be filling sockets; that belongs to the slice. */
const SETTLE_MS = 25;

export interface Slice {
  requests: number;
  seconds: number;
  cpu_us: number;
}

const Words = z.object({
  requests: z.number(),
  bytes: z.number(),
  connect: z.number(),
  read: z.number(),
  write: z.number(),
  status: z.number(),
});

/** One wrk against one server, standing still but for its slices, so that several can take turns many times. */
export class Load {
  private words = "";

  private constructor(
    private readonly server: Running,
    private readonly answer: Answer,
    private readonly tool: ChildProcess,
    private readonly connections: number,
  ) {
    tool.once("error", () => undefined);
    tool.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.words += text;
    });
  }

  /** `rate` in requests a second; 0 is closed loop. */
  static begin(server: Running, answer: Answer, file: string, connections: number, rate: number): Load {
    const url = `http://127.0.0.1:${server.port}/${file}`;
    const script = join(import.meta.dirname, "servers.lua");
    const wrk = ["wrk", "-t", "1", "-c", String(connections), "-d", `${FOR_S}s`, "-s", script, url, "--"];
    const tool = spawn("taskset", ["-c", TOOL_CORE, ...wrk, String(rate)], {
      env: childEnv(rate > 0 ? { RIG_PACED: "1" } : {}),
      stdio: ["ignore", "pipe", "inherit"],
    });
    return new Load(server, answer, tool, connections);
  }

  /** Lets it run once, uncounted: connections and caches are behind it. */
  async warm(ms: number): Promise<void> {
    await sleep(ms);
    this.signal("SIGSTOP");
    await sleep(SETTLE_MS);
  }

  async slice(ms: number): Promise<Slice> {
    const pid = this.tool.pid ?? 0;
    if (!isRunning(pid)) throw new CommandError(`wrk ended in the middle; is it installed (package wrk)?`);
    const cpu = this.server.cpu.read_us();
    const bytes = bytesRead(pid);
    const began = performance.now();
    this.signal("SIGCONT");
    await sleep(ms);
    this.signal("SIGSTOP");
    const seconds = (performance.now() - began) / 1000;
    await sleep(SETTLE_MS);
    return {
      requests: (bytesRead(pid) - bytes) / this.answer.bytes,
      seconds,
      cpu_us: this.server.cpu.read_us() - cpu,
    };
  }

  /** Ends the load. Null when every answer was whole and a success, else what was wrong. */
  async end(): Promise<string | null> {
    const gone = new Promise((resolve) => this.tool.once("close", resolve));
    this.signal("SIGCONT");
    this.signal("SIGINT");
    await gone;
    const line = /^\{.*\}$/m.exec(this.words)?.[0];
    if (!line) return "wrk said nothing";
    const said = Words.parse(JSON.parse(line));
    const failed = said.connect + said.read + said.write + said.status;
    if (failed > 0) return `${failed} of ${said.requests} requests failed`;
    const odd = said.bytes - said.requests * this.answer.bytes;
    return odd < 0 || odd > this.connections * this.answer.bytes
      ? `${said.bytes} bytes came for ${said.requests} answers of ${this.answer.bytes}`
      : null;
  }

  kill(): void {
    this.signal("SIGCONT");
    this.signal("SIGKILL");
  }

  private signal(name: NodeJS.Signals): void {
    this.tool.kill(name);
  }
}
