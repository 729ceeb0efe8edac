/** What the studies in `research/` use of the launcher. */

export { attempt, Disturbed } from "./bench/attempt";
export { atLeast, atMost, type Figure, fact, unmeasured } from "./bench/figure";
export { runBenches } from "./bench/run";
export { buildAgent } from "./build/agent";
export { runCommand } from "./command";
export { env } from "./env";
export { capture } from "./exec";
export { generate } from "./generate";
export { paths } from "./paths";
export { CommandError, say, seconds } from "./say";
