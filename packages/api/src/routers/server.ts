import { getServer, listServers } from "@rigmark/domain";
import { ServerListItem, ServerView } from "@rigmark/results";
import { z } from "zod";
import { InWorkspace, OfServer } from "../input";
import { procedure, router } from "../trpc";

export const server = router({
  list: procedure
    .input(InWorkspace)
    .output(z.array(ServerListItem))
    .query(({ ctx: { ctx }, input }) => listServers({ ctx, input })),
  get: procedure
    .input(OfServer)
    .output(ServerView)
    .query(({ ctx: { ctx }, input }) => getServer({ ctx, input })),
});
