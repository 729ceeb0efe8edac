import type { ApiContext } from "@rigmark/api";
import type { Actor } from "@rigmark/domain";
import { launcherIn } from "@rigmark/domain/launcher";
import { env } from "@/env";
import { atThisMachine } from "./address";
import { auth } from "./auth";
import { domain } from "./domain";
import { invitationMailer } from "./invitation";

/** Who asks, by their session cookie. */
export async function apiContext(headers: Headers, signal?: AbortSignal): Promise<ApiContext> {
  const session = await auth().api.getSession({ headers });
  const user = session?.user;
  const actor: Actor = user
    ? { kind: "user", userId: user.id, name: user.name, email: user.email, sessionId: session.session.id }
    : { kind: "anonymous" };
  return {
    ctx: domain().as(actor, signal),
    providers: { github: Boolean(env().GITHUB_CLIENT_ID), mail: env().SMTP_URL ? "smtp" : "file" },
    image: user?.image ?? null,
    mailInvitation: invitationMailer(headers),
    launcher: launcherIn(env().STATE_DIR),
    atThisMachine: atThisMachine(headers),
  };
}
