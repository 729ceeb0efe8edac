import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { childEnv } from "../exec";
import { CommandError } from "../say";
import { bytesRead, isRunning } from "./procfs";
import type { ProbeResponse } from "./servers-ask";
import { owned } from "./servers-children";
import { Cpu } from "./servers-cpu";
import { type Running, TOOL_CORE } from "./servers-start";

/** Longer than any comparison: a load does not end, it is ended. */
const FOR_S = 3600;
/** wrk looks every 100 ms whether it shall end. */
const END_TRIES = 6;
const END_EVERY_MS = 400;

/** Turns at a fixed rate: see servers.lua. */
export interface Turns {
  rate: number;
  begin_ms: number;
  slot_ms: number;
  active_ms: number;
  count: number;
  /** Of this load in each round, from 0. */
  places: readonly number[];
}

/** Counters at a moment; two of them make a slice. */
export interface Counters {
  requests: number;
  /** The server's. */
  cpu_us: number;
  /** Of wrk: what a server leaves to the other end of the loopback shows there. */
  tool_us: number;
}

const Words = z.object({
  requests: z.number(),
  bytes: z.number(),
  connect: z.number(),
  read: z.number(),
  write: z.number(),
  status: z.number(),
});

/** One wrk against one server, for as long as a comparison lasts. */
export class Load {
  private words = "";
  private readonly tool: ChildProcess;
  private readonly toolCpu: Cpu;

  /** Without turns: closed loop, and the caller says when it runs. */
  constructor(
    private readonly server: Running,
    private readonly response: ProbeResponse,
    file: string,
    private readonly connections: number,
    turns: Turns | null,
  ) {
    const url = `http://127.0.0.1:${server.port}/${file}`;
    const script = join(import.meta.dirname, "servers.lua");
    const wrk = ["wrk", "-t", "1", "-c", String(connections), "-d", `${FOR_S}s`, "-s", script, url, "--"];
    const schedule = turns
      ? [turns.rate, turns.begin_ms, turns.slot_ms, turns.active_ms, turns.count, turns.places.join()]
      : [0];
    this.tool = owned(
      spawn("taskset", ["-c", TOOL_CORE, ...wrk, ...schedule.map(String)], {
        env: childEnv(turns ? { RIG_PACED: "1" } : {}),
        stdio: ["ignore", "pipe", "inherit"],
      }),
    );
    this.toolCpu = new Cpu([this.tool.pid ?? 0]);
    this.tool.once("error", () => undefined);
    this.tool.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.words += text;
    });
  }

  /** Requests are counted by the bytes of their responses, whose length is known; only wrk's own reads are in them. */
  read(): Counters {
    const pid = this.tool.pid ?? 0;
    if (!isRunning(pid))
      throw new CommandError("wrk ended in the middle of the comparison: is it installed (package wrk)?");
    return {
      requests: bytesRead(pid) / this.response.bytes,
      cpu_us: this.server.cpu.read_us(),
      tool_us: this.toolCpu.read_us(),
    };
  }

  freeze(): void {
    this.tool.kill("SIGSTOP");
  }
  thaw(): void {
    this.tool.kill("SIGCONT");
  }
  kill(): void {
    this.thaw();
    this.tool.kill("SIGKILL");
  }

  /** Ends the load. Null when every response was whole and a success, else what was wrong. */
  async end(): Promise<string | null> {
    let over = false;
    const gone = new Promise<void>((resolve) => this.tool.once("close", () => resolve())).then(() => {
      over = true;
    });
    this.thaw();
    // Its main thread sleeps and has to be the one that hears it; with the other signal still under way it may not be.
    for (let i = 0; !over && i < END_TRIES; i += 1) {
      await sleep(10);
      this.tool.kill("SIGINT");
      await Promise.race([gone, sleep(END_EVERY_MS)]);
    }
    if (!over) {
      this.kill();
      return "wrk did not end";
    }
    return this.judge();
  }

  private judge(): string | null {
    const line = /^\{.*\}$/m.exec(this.words)?.[0];
    if (!line) return "wrk said nothing";
    const said = Words.parse(JSON.parse(line));
    const failed = said.connect + said.read + said.write + said.status;
    if (failed > 0) return `${failed} of ${said.requests} requests failed`;
    const odd = said.bytes - said.requests * this.response.bytes;
    return odd < 0 || odd > this.connections * this.response.bytes
      ? `${said.bytes} bytes came for ${said.requests} responses of ${this.response.bytes}`
      : null;
  }
}
