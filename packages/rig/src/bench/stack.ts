import { rmSync } from "node:fs";
import { freePort } from "@rigmark/db/embedded";
import { stopAll } from "../down";
import { whenInterrupted } from "../interrupt";
import { paths, useInstallation } from "../paths";
import { type Home, openHome } from "../up/home";
import { type Ready, start } from "../up/index";

export interface Stack extends Ready {
  home: Home;
}

/** An installation of its own, on a free port, thrown away afterwards: app, database and agent as `up` starts them. */
export async function withStack<T>(use: (stack: Stack) => Promise<T>): Promise<T> {
  useInstallation("bench");
  rmSync(paths.state, { recursive: true, force: true });
  whenInterrupted(async () => void (await stopAll()));
  try {
    const ready = await start({
      detach: true,
      json: false,
      demo: false,
      port: await freePort(),
      listen: null,
      network: null,
    });
    const home = await openHome(ready.databaseUrl, ready.web.publicUrl);
    try {
      return await use({ ...ready, home });
    } finally {
      await home.close();
    }
  } finally {
    await stopAll();
    rmSync(paths.state, { recursive: true, force: true });
  }
}
