import type { InvitationCreated, InvitedRole } from "@rigmark/results";
import { uuidv7 } from "uuidv7";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { isPrivate } from "../internal/address";
import { audit, invitedInWords } from "../internal/audit";
import { countInWindow } from "../internal/count";
import { mayChange } from "../internal/may";
import { iso, later } from "../internal/moment";
import { hashSecret, newSecret, sha256Hex } from "../internal/secret";
import { printable } from "../internal/text";

const VALID_S = 7 * 86_400;
/** Of one workspace, that wait to be accepted. */
const MOST_WAITING = 100;
const WINDOW_S = 300;
/** By one person, in five minutes: a mail goes to whomever they name. */
const MOST_AT_ONCE = 30;
/** To one address, in five minutes, whoever invites it. */
const MOST_MAILS = 3;

export interface InvitationMail {
  email: string;
  url: string;
  workspace: string;
  inviter: string;
}
export type MailInvitation = (mail: InvitationMail) => Promise<void>;

interface Input {
  workspace: string;
  role: InvitedRole;
  /** Only an account with this address may accept. Null: whoever has the link. */
  email: string | null;
  /** Sends it; null where there is no mail server. */
  mail: MailInvitation | null;
}

/**
 * Makes a link that works once, within seven days. With an address and a mail server the link goes to that address alone,
 * so that whoever has it has the address.
 */
export async function createInvitation({ ctx, input }: Call<Input>): Promise<InvitationCreated> {
  const me = requirePerson(ctx);
  const { workspaceId, role: own } = await enterWorkspace(ctx, input.workspace, "manageMembers");
  if (!mayChange(own, input.role))
    throw new DomainError("forbidden", "Only an owner can invite an admin; ask an owner.");
  const email = input.email?.trim().toLowerCase() ?? null;
  const now = ctx.now();
  await limit(ctx, workspaceId, me.userId, now);
  if (email !== null) await refuseMember(ctx, workspaceId, email);
  const mail = email === null ? null : input.mail;
  if (mail !== null && email !== null) await limitMails(ctx, email, now);
  const token = newSecret("rgmi_");
  const invitationId = uuidv7();
  const expiresAt = later(now, VALID_S);
  await ctx.db.prisma.invitation.create({
    data: {
      workspace_id: workspaceId,
      invitation_id: invitationId,
      role: input.role,
      email,
      mailed: mail !== null,
      created_by: me.userId,
      created_at: now,
      expires_at: expiresAt,
      lookup: { create: { token_hash: hashSecret(token) } },
    },
  });
  const url = `${ctx.config.publicUrl}/join?token=${token}`;
  const made = { email, expires_at: iso(expiresAt), public_url_is_private: isPrivate(ctx.config.publicUrl) };
  const subject = invitedInWords(email, input.role);
  const event = { workspaceId, what: "invitation-created", subject } as const;
  if (mail === null || email === null) {
    await audit(ctx.db, ctx, event);
    return { ...made, url };
  }
  try {
    await mail({ email, url, workspace: await nameOf(ctx, workspaceId), inviter: printable(me.name) });
  } catch (cause) {
    const id = { workspace_id: workspaceId, invitation_id: invitationId };
    await ctx.db.prisma.invitation.deleteMany({ where: id });
    ctx.log.warn({ err: cause }, "An invitation could not be mailed.");
    throw new DomainError(
      "unavailable",
      "The mail could not be sent, so nobody was invited. Try again, or invite without an address.",
      {},
      { cause },
    );
  }
  await audit(ctx.db, ctx, event);
  return { ...made, url: null };
}

async function limit(ctx: Ctx, workspaceId: string, userId: string, now: Date): Promise<void> {
  const { count, ends_in_s } = await countInWindow(ctx.db, `invitation|${userId}`, WINDOW_S, now);
  if (count > MOST_AT_ONCE)
    throw new DomainError("rate_limited", "You invited many people at once; wait five minutes.", {
      retry_after_s: ends_in_s,
    });
  const waiting = await ctx.db.prisma.invitation.count({
    where: { workspace_id: workspaceId, used_at: null, revoked_at: null, expires_at: { gt: now } },
  });
  if (waiting >= MOST_WAITING)
    throw new DomainError(
      "state",
      `${MOST_WAITING} invitations wait already; revoke one that you do not need.`,
    );
}

async function limitMails(ctx: Ctx, email: string, now: Date): Promise<void> {
  const key = `invitation-mail|${sha256Hex(email)}`;
  const { count, ends_in_s } = await countInWindow(ctx.db, key, WINDOW_S, now);
  if (count > MOST_MAILS)
    throw new DomainError(
      "rate_limited",
      "This address was just sent several invitations; wait five minutes before you invite it again.",
      { retry_after_s: ends_in_s },
    );
}

async function refuseMember(ctx: Ctx, workspaceId: string, email: string): Promise<void> {
  const member = await ctx.db.prisma.member.findFirst({
    where: { workspace_id: workspaceId, user: { email } },
    select: { user_id: true },
  });
  if (member) throw new DomainError("state", "Somebody with this address belongs to the workspace already.");
}

async function nameOf(ctx: Ctx, workspaceId: string): Promise<string> {
  const row = await ctx.db.prisma.workspace.findUnique({
    where: { workspace_id: workspaceId },
    select: { name: true },
  });
  return printable(row?.name ?? "");
}
