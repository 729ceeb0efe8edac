/** What the journeys in `e2e/` use of the launcher. */

export { runCommand } from "./command";
export { whenInterrupted } from "./interrupt";
export { buildArchives } from "./network/archives";
export { HERE } from "./network/place";
export { supervise } from "./network/supervise";
export { useInstallation } from "./paths";
export { stop } from "./services/service";
export { readState } from "./state";
export { startDatabase } from "./up/database";
export { openHome, signInUrl } from "./up/home";
export { startWeb } from "./up/web";
