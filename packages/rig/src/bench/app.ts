import { rmSync } from "node:fs";
import { freePort } from "@rigmark/db/embedded";
import { buildWeb } from "../build/web";
import { stopAll } from "../down";
import { whenInterrupted } from "../interrupt";
import { paths, useInstallation } from "../paths";
import { launch, type Service, stop } from "../services/service";
import { startDatabase } from "../up/database";
import { type Home, openHome } from "../up/home";
import { waitHealthy, webArgs, webEnv } from "../up/web";

export interface App {
  url: string;
  service: Service;
}

/** A database of its own and an app to be started on it, without an agent; thrown away afterwards. */
export interface Site {
  home: Home;
  databaseUrl: string;
  publicUrl: string;
  /** Starts another process of the app; the first has the public address. */
  startApp(): Promise<App>;
}

export async function withSite<T>(use: (site: Site) => Promise<T>): Promise<T> {
  useInstallation("bench");
  rmSync(paths.state, { recursive: true, force: true });
  const apps: App[] = [];
  const end = async () => {
    for (const { service } of apps) await stop(service);
    await stopAll();
  };
  whenInterrupted(end);
  try {
    const databaseUrl = await startDatabase();
    await buildWeb();
    const first = await freePort();
    const publicUrl = `http://127.0.0.1:${first}`;
    const home = await openHome(databaseUrl, publicUrl);
    const startApp = async () => {
      const port = apps.length === 0 ? first : await freePort();
      const name = apps.length === 0 ? "web" : `web-${apps.length + 1}`;
      const url = `http://127.0.0.1:${port}`;
      const service = await launch(name, process.execPath, webArgs(String(port), "127.0.0.1"), {
        cwd: paths.web,
        env: webEnv({ databaseUrl, publicUrl, port }),
      });
      const app = { url, service };
      apps.push(app);
      await waitHealthy(url, service);
      return app;
    };
    try {
      return await use({ home, databaseUrl, publicUrl, startApp });
    } finally {
      await home.close();
    }
  } finally {
    await end();
    rmSync(paths.state, { recursive: true, force: true });
  }
}
