import { runCommand } from "./command";
import { run } from "./serve";

/** What a container of the web app starts, bundled into one file: an image has no TypeScript and no packages. */
runCommand(run);
