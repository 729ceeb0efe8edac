import { account } from "./routers/account";
import { host } from "./routers/host";
import { report } from "./routers/report";
import { run } from "./routers/run";
import { server } from "./routers/server";
import { setup } from "./routers/setup";
import { workspace } from "./routers/workspace";
import { router } from "./trpc";

export const appRouter = router({ account, host, report, run, server, setup, workspace });
export type AppRouter = typeof appRouter;
