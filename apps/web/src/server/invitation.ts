import { getInvitation, type InvitationMail, type MailInvitation } from "@rigmark/domain";
import { wordsIn } from "@rigmark/messages/catalogue";
import { INVITATION_COOKIE, INVITATION_HEADER } from "@rigmark/results/settings";
import { env } from "@/env";
import { languageOfHeaders } from "@/lib/language";
import { domain } from "./domain";
import { sendMail } from "./mail";

const COOKIE = new RegExp(`(?:^|;\\s*)${INVITATION_COOKIE}=([\\w-]{1,200})(?:;|$)`);

const sentBy = (headers: Headers | undefined) => headers?.get(INVITATION_HEADER)?.slice(0, 200) || null;
const keptBy = (headers: Headers | undefined) => COOKIE.exec(headers?.get("cookie") ?? "")?.[1] ?? null;

/** The invitation that somebody signs up with, in a header or in a cookie, whatever its state. */
export const invitationSentBy = (headers: Headers | undefined): string | null =>
  sentBy(headers) ?? keptBy(headers);

/**
 * The same to decide by. A form sends a header, and is told when the invitation does not work. Who comes back from GitHub
 * has a cookie of the page Join, which may be an old one: it counts only while it works.
 */
export async function invitationTokenOf(headers: Headers | undefined): Promise<string | null> {
  const sent = sentBy(headers);
  if (sent !== null) return sent;
  const kept = keptBy(headers);
  if (kept === null) return null;
  const ctx = domain().as({ kind: "anonymous" });
  const { state } = await getInvitation({ ctx, input: { token: kept } });
  return state === "usable" ? kept : null;
}

/** Sends invitations in the language of whoever invites; null where there is no mail server. */
export function invitationMailer(headers: Headers): MailInvitation | null {
  if (!env().SMTP_URL) return null;
  const { t } = wordsIn(languageOfHeaders(headers));
  return ({ email, url, workspace, inviter }: InvitationMail) =>
    sendMail({
      to: email,
      subject: t("mail.invitation.subject", { workspace }),
      text: t("mail.invitation.text", { url, workspace, inviter }),
    });
}
