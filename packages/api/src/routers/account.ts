import { AccountView } from "@rigmark/domain/views";
import { notBuilt, procedure, router } from "../trpc";

export const account = router({
  me: procedure.output(AccountView).query(notBuilt),
});
