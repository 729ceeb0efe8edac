import { account } from "./routers/account";
import { alert } from "./routers/alert";
import { audit } from "./routers/audit";
import { device } from "./routers/device";
import { history } from "./routers/history";
import { host } from "./routers/host";
import { invitation } from "./routers/invitation";
import { member } from "./routers/member";
import { network } from "./routers/network";
import { report } from "./routers/report";
import { run } from "./routers/run";
import { schedule } from "./routers/schedule";
import { server } from "./routers/server";
import { setup } from "./routers/setup";
import { token } from "./routers/token";
import { workspace } from "./routers/workspace";
import { router } from "./trpc";

export const appRouter = router({
  account,
  alert,
  audit,
  device,
  history,
  host,
  invitation,
  member,
  network,
  report,
  run,
  schedule,
  server,
  setup,
  token,
  workspace,
});
export type AppRouter = typeof appRouter;
