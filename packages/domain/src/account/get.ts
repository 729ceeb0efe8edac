import type { AccountView } from "@rigmark/results";
import type { Call } from "../context";
import { isPrivate } from "../internal/address";

/** Who is asking. `providers` says what the deployment offers. */
export async function getAccount({
  ctx,
  input,
}: Call<{ providers: AccountView["providers"]; image: string | null }>): Promise<AccountView> {
  const { actor, config } = ctx;
  return {
    user:
      actor.kind === "user"
        ? { user_id: actor.userId, name: actor.name, email: actor.email, image: input.image }
        : null,
    providers: input.providers,
    sign_up: config.signUp,
    public_url: config.publicUrl,
    public_url_is_private: isPrivate(config.publicUrl),
  };
}
