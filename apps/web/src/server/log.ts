import pino from "pino";
import { env } from "@/env";

let made: pino.Logger | undefined;

/** One line of JSON an event, on stderr. Secrets are cut out by name. */
export function log(): pino.Logger {
  made ??= pino(
    { level: env().LOG_LEVEL, redact: ["*.token", "*.key", "*.password", "*.authorization", "*.cookie"] },
    pino.destination({ dest: 2, sync: true }),
  );
  return made;
}
