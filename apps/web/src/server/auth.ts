import {
  cleanPersonImage,
  cleanPersonName,
  countTry,
  DomainError,
  ensureOwnWorkspace,
  forgetResets,
  isDomainError,
  joinInvited,
  requireSignUp,
} from "@rigmark/domain";
import { wordsIn } from "@rigmark/messages/catalogue";
import { CLAIM_HEADER } from "@rigmark/results/settings";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { uuidv7 } from "uuidv7";
import { env } from "@/env";
import { languageOfHeaders } from "@/lib/language";
import { clientAddress } from "./address";
import { isAuthPath } from "./auth-paths";
import { domain } from "./domain";
import { invitationSentBy, invitationTokenOf } from "./invitation";
import { limited } from "./limited";
import { log } from "./log";
import { canMail, type Mail, sendMail } from "./mail";
import { trustedOrigins } from "./origin";
import { errorResponse } from "./response";
import { inReadersLanguage } from "./translate-refusal";

const RESET_S = 3600;
const VERIFY_S = 3600;
const BODY_BYTES = 64 * 1024;
/** What we found out about the address of whoever asks; a client's own is thrown away. */
const ADDRESS = "x-rigmark-address";
/** Tries at one account in five minutes, from one client: nobody must be able to lock somebody else out. */
const TRIES: Record<string, number> = {
  "/sign-in/email": 20,
  "/sign-up/email": 5,
  "/request-password-reset": 5,
  "/send-verification-email": 5,
};
/** The same from all clients together, where a password could be guessed. */
const ALL_TRIES: Record<string, number> = { "/sign-in/email": 200 };
/** Of one kind to one address, in five minutes. */
const MAILS = 5;

const beforeAll = createAuthMiddleware(async ({ path, body, headers }) => {
  await guardSignUp(path, body, headers);
  const max = TRIES[path];
  const email: unknown = body?.email;
  if (max === undefined || typeof email !== "string") return;
  const ctx = domain().as({ kind: "system" });
  const may = (client: string | null, max: number) =>
    countTry({ ctx, input: { what: path, email, client, max } });
  const all = ALL_TRIES[path];
  const few = (await may(headers?.get(ADDRESS) ?? "unknown", max)) && (!all || (await may(null, all)));
  if (!few) {
    throw new APIError("TOO_MANY_REQUESTS", {
      message: "Too many attempts with this email address. Wait five minutes, then try again.",
    });
  }
  if (LINK_BY_MAIL.has(path)) await requireMail();
});

/**
 * Refuses who may not make an account here, however they try: with a password or through GitHub. A domain's addresses
 * have to be proved; GitHub says whether one is, and for the others a mail is sent where a mail server is set.
 */
async function checkSignUp(
  person: { email: string; proved: boolean; making: boolean },
  headers: Headers | undefined,
) {
  const claimToken = headers?.get(CLAIM_HEADER) ?? null;
  const ctx = domain().as({ kind: "system" });
  try {
    const { email, making } = person;
    const invitationToken = await invitationTokenOf(headers);
    const input = { email, claimToken, invitationToken, making };
    const { invited, proved } = await requireSignUp({ ctx, input });
    if (invited || person.proved || !mustProve()) return { proved };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    throw new APIError("FORBIDDEN", { code: "SIGN_UP_CLOSED", message: error.message });
  }
  throw new APIError("FORBIDDEN", {
    code: "ADDRESS_NOT_PROVED",
    message: "GitHub has not verified your email address; verify it there, then sign in again.",
  });
}
/** Who signs up without an invitation has to prove the address: at one domain always, else where a mail can do it. */
const mustProve = (): boolean =>
  env().SIGN_UP !== "closed" && (env().SIGN_UP !== "open" || env().SMTP_URL !== undefined);
const PASSWORD_SIGN_UP = "/sign-up/email";

/** Before anything is looked up, so that a refusal does not tell who has an account. */
const guardSignUp = async (path: string, body: { email?: unknown } | undefined, headers?: Headers) => {
  if (path !== PASSWORD_SIGN_UP || typeof body?.email !== "string") return;
  const { proved } = await checkSignUp({ email: body.email, proved: true, making: false }, headers);
  if (env().SIGN_UP !== "closed" && !proved) await requireMail();
};
/** better-auth would say that it sent a mail although that failed. Asked for every address, so that nobody learns who has an account. */
const requireMail = async () => {
  if (await canMail()) return;
  throw new APIError("SERVICE_UNAVAILABLE", {
    message: "The mail server does not respond, so no mail was sent; try again later.",
  });
};
const LINK_BY_MAIL = new Set(["/request-password-reset", "/send-verification-email"]);

interface Person {
  name?: string | undefined;
  image?: string | null | undefined;
}
/** Everybody who shares a workspace sees these. */
const tidy = <P extends Person>(person: P): { data: P } => ({
  data: {
    ...person,
    ...(person.name === undefined ? {} : { name: cleanPersonName(person.name) }),
    ...(person.image === undefined ? {} : { image: cleanPersonImage(person.image) }),
  },
});

/**
 * A mail in the language of whoever asked for it. Nobody waits for the mail server: how long that takes would tell who has an
 * account.
 */
async function sendLink(
  what: "reset" | "confirm" | "known",
  email: string,
  url: string,
  request: Request | undefined,
): Promise<void> {
  const { t } = wordsIn(languageOfHeaders(request?.headers));
  const sent = sendSeldom(what, {
    to: email,
    subject: t(`mail.${what}.subject`),
    text: t(`mail.${what}.text`, { email, url }),
  });
  if (!env().SMTP_URL) return sent;
  sent.catch((error: unknown) => log().error({ err: error }, "A mail could not be sent."));
}

/** Whoever asks for more mails than that is answered as always: those that were sent do for the owner of the address. */
async function sendSeldom(what: string, mail: Mail): Promise<void> {
  const ctx = domain().as({ kind: "system" });
  const input = { what: `mail-${what}`, email: mail.to, client: null, max: MAILS };
  if (await countTry({ ctx, input })) await sendMail(mail);
}

/** Whoever asked for the link may have named another page, where it would be of no use to its owner. */
function toResetPage(url: string): string {
  const link = new URL(url);
  link.searchParams.set("callbackURL", "/reset-password");
  return link.href;
}

function makeAuth() {
  const { PUBLIC_URL, AUTH_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, SMTP_URL } = env();
  return betterAuth({
    appName: "Rigmark",
    baseURL: PUBLIC_URL,
    basePath: "/api/auth",
    secret: AUTH_SECRET,
    database: prismaAdapter(domain().db.prisma, { provider: "postgresql" }),
    trustedOrigins: (request) => trustedOrigins(request?.headers.get("host") ?? null),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      // Alerts are mailed to these addresses, and whoever is invited by one finds no account of a stranger there.
      requireEmailVerification: env().SIGN_UP !== "closed" && SMTP_URL !== undefined,
      // The page says that a mail was sent, as for a new account, so that nobody learns who has one.
      onExistingUserSignUp: ({ user }, request) =>
        sendLink("known", user.email, new URL("/sign-in", PUBLIC_URL).href, request),
      resetPasswordTokenExpiresIn: RESET_S,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) =>
        forgetResets({ ctx: domain().as({ kind: "system" }), input: { userId: user.id } }),
      sendResetPassword: ({ user, url }, request) => sendLink("reset", user.email, toResetPage(url), request),
    },
    emailVerification: {
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: VERIFY_S,
      sendVerificationEmail: ({ user, url }, request) => sendLink("confirm", user.email, url, request),
    },
    socialProviders:
      GITHUB_CLIENT_ID && GITHUB_CLIENT_SECRET
        ? { github: { clientId: GITHUB_CLIENT_ID, clientSecret: GITHUB_CLIENT_SECRET } }
        : {},
    rateLimit: {
      enabled: true,
      storage: "database",
      window: 60,
      max: 300,
      customRules: {
        "/sign-in/email": { window: 60, max: 20 },
        "/sign-up/email": { window: 60, max: 20 },
        "/request-password-reset": { window: 300, max: 10 },
        "/reset-password": { window: 300, max: 10 },
        // A count of each link would be kept.
        "/reset-password/*": false,
      },
    },
    hooks: { before: beforeAll },
    databaseHooks: {
      user: {
        update: { before: async (person: Person) => tidy(person) },
        create: {
          before: async (person, context) => {
            const proved = person.emailVerified || context?.path === PASSWORD_SIGN_UP;
            const { email } = person;
            const link = await checkSignUp({ email, proved, making: true }, context?.headers);
            const { data } = tidy(person);
            // The first owner's link came from the machine itself, and an invitation by mail to this very address.
            return { data: { ...data, emailVerified: data.emailVerified || link.proved } };
          },
          after: async ({ id, name, email }, context) => {
            const ctx = domain().as({ kind: "system" });
            const token = invitationSentBy(context?.headers);
            if (token !== null) await joinInvited({ ctx, input: { token, email, userId: id } });
            await ensureOwnWorkspace({ ctx, input: { userId: id, name, email } });
          },
        },
      },
    },
    advanced: {
      ipAddress: { ipAddressHeaders: [ADDRESS] },
      database: { generateId: () => uuidv7() },
      useSecureCookies: PUBLIC_URL.startsWith("https:"),
    },
    telemetry: { enabled: false },
  });
}

let made: ReturnType<typeof makeAuth> | undefined;

/** Sign-up, sign-in and reset. Made when first asked for, so that the app can be built without settings. */
export function auth(): ReturnType<typeof makeAuth> {
  made ??= makeAuth();
  return made;
}

/** The routes of better-auth that are used here; forms show what it refuses. */
export const answerAuth = async (request: Request): Promise<Response> =>
  inReadersLanguage(await answer(request), languageOfHeaders(request.headers));

async function answer(request: Request): Promise<Response> {
  try {
    if (!isAuthPath(new URL(request.url).pathname))
      throw new DomainError("not_found", "There is nothing at this address.");
    const headers = new Headers(request.headers);
    headers.delete(ADDRESS);
    const address = clientAddress(request.headers);
    if (address) headers.set(ADDRESS, address);
    return await auth().handler(await limited(request, BODY_BYTES, headers));
  } catch (error) {
    return errorResponse(error);
  }
}
