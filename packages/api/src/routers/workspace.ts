import { WorkspaceView } from "@rigmark/domain/views";
import { z } from "zod";
import { InWorkspace } from "../input";
import { notBuilt, procedure, router } from "../trpc";

export const workspace = router({
  list: procedure.output(z.array(WorkspaceView)).query(notBuilt),
  get: procedure.input(InWorkspace).output(WorkspaceView).query(notBuilt),
});
