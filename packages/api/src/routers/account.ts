import { getAccount } from "@rigmark/domain";
import { AccountView } from "@rigmark/results";
import { procedure, router } from "../trpc";

export const account = router({
  me: procedure
    .output(AccountView)
    .query(({ ctx: { ctx, providers, image } }) => getAccount({ ctx, input: { providers, image } })),
});
