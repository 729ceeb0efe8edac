import { account } from "@rigmark/domain";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { uuidv7 } from "uuidv7";
import { env } from "@/env";
import { domain } from "./domain";
import { sendMail } from "./mail";
import { trustedOrigins } from "./origin";

const RESET_S = 3600;

function makeAuth() {
  const { PUBLIC_URL, AUTH_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = env();
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
      resetPasswordTokenExpiresIn: RESET_S,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, url }) =>
        sendMail({
          to: user.email,
          subject: "Set a new password for Rigmark",
          text: `Somebody asked for a new password for ${user.email}. To set one, open this link within an hour:\n\n${url}\n\nIf it was not you, do nothing.`,
        }),
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
      },
    },
    databaseHooks: {
      user: {
        create: {
          after: ({ id, name, email }) =>
            account.onSignUp({ ctx: domain().as({ kind: "system" }), input: { userId: id, name, email } }),
        },
      },
    },
    advanced: {
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
