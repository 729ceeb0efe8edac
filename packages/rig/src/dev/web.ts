import { createRequire } from "node:module";
import { join } from "node:path";
import { paths } from "../paths";
import { isAlive, launch, type Service, stop } from "../services/service";
import { readState, remember } from "../state";
import { choosePort } from "../up/port";
import { waitHealthy, webEnv } from "../up/web";

/** Beside the one of `./rig up`, whose links keep their port. */
const USUAL = 4280;

export interface DevWeb {
  url: string;
  service: Service;
}

/** `next dev`: it watches the pages and everything they import by itself. */
export async function startDevWeb(databaseUrl: string, askedPort: number | null): Promise<DevWeb> {
  const { web: old, port: remembered } = readState();
  if (isAlive(old)) await stop(old);
  const port = await choosePort(askedPort, remembered ?? null, "127.0.0.1", { usual: USUAL });
  const url = `http://127.0.0.1:${port}`;
  const next = createRequire(join(paths.web, "package.json")).resolve("next/dist/bin/next");
  const service = await launch(
    "web",
    process.execPath,
    [next, "dev", "-p", String(port), "-H", "127.0.0.1"],
    {
      cwd: paths.web,
      env: { ...webEnv({ databaseUrl, publicUrl: url, port }), NODE_ENV: "development" },
    },
  );
  remember({ port, web: service });
  await waitHealthy(url, service);
  return { url, service };
}
