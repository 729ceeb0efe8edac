import { join } from "node:path";
import { env, inherited } from "./env";
import { finish, type Running, run } from "./process";
import { quietHost } from "./quiet-host";

/** How to start an agent: natively, or through an emulator for another architecture. */
export interface AgentProgram {
  command: string[];
  env?: NodeJS.ProcessEnv;
}
const native: AgentProgram = { command: [env.RIGMARK_AGENT] };

/** An agent with a state folder and a host lock of its own. */
export class Agent {
  private running: Running | null = null;
  constructor(
    readonly dir: string,
    readonly name: string,
    readonly program: AgentProgram = native,
  ) {}

  get env(): NodeJS.ProcessEnv {
    return {
      ...inherited,
      ...quietHost(this.dir),
      ...this.program.env,
      RIGMARK_STATE: join(this.dir, this.name),
      RIGMARK_LOCK: join(this.dir, "host.lock"),
    };
  }
  run(args: string[]) {
    const [command = "", ...first] = this.program.command;
    return finish(command, [...first, ...args], { env: this.env });
  }
  start(): Running {
    const [command = "", ...first] = this.program.command;
    this.running = run(command, [...first, "agent"], {
      env: this.env,
      log: join(this.dir, `${this.name}.log`),
    });
    return this.running;
  }
  /** Exit code, once it ends by itself. */
  async ended(): Promise<number | null> {
    return this.running ? this.running.exited : null;
  }
  async stop(): Promise<number | null> {
    return this.running ? this.running.stop() : null;
  }
}
