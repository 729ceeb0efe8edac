import { type Ctx, isDomainError, type Launcher, type MailInvitation } from "@rigmark/domain";
import type { AccountView } from "@rigmark/results";
import { initTRPC, type TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { toTrpc } from "./error";
import { refusalOf } from "./refusal";
import { transformer } from "./transformer";

export interface ApiContext {
  /** Who asks, and the domain that answers. */
  ctx: Ctx;
  /** Ways to sign in that this deployment offers. */
  providers: AccountView["providers"];
  /** Picture of the person who asks. */
  image: string | null;
  /** What started the app; null where the app has none to ask. */
  launcher: Launcher | null;
  /** Sends an invitation; null where there is no mail server. */
  mailInvitation: MailInvitation | null;
  /** Whether who asks is at the machine that the app runs on. */
  atThisMachine: boolean;
}

const t = initTRPC.context<ApiContext>().create({
  transformer,
  errorFormatter: ({ shape, error }) => {
    const { stack: _, ...data } = shape.data as typeof shape.data & { stack?: string };
    const domain = isDomainError(error.cause) ? error.cause.code : null;
    return { ...shape, message: sentence(error), data: { ...data, domain } };
  },
});

/** What a person is told: which field was wrong, or what the domain said; never what broke inside. */
function sentence(error: TRPCError): string {
  if (isDomainError(error.cause)) return error.cause.message;
  if (error.cause instanceof ZodError && error.code === "BAD_REQUEST") {
    return `${refusalOf(error.cause.issues[0], "The request")}.`;
  }
  return error.code === "INTERNAL_SERVER_ERROR"
    ? "Something went wrong in the app. Try again; the details are in the log of the app."
    : error.message;
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Errors of the domain become errors of tRPC. */
export const procedure = t.procedure.use(async ({ next, path, ctx }) => {
  const result = await next();
  if (result.ok) return result;
  const { cause } = result.error;
  if (isDomainError(cause)) throw toTrpc(cause);
  if (result.error.code === "INTERNAL_SERVER_ERROR") {
    ctx.ctx.log.error({ err: cause ?? result.error, path }, "A procedure broke.");
  }
  return result;
});

/** The same for a subscription, whose errors come after the procedure has returned. */
export async function* streamed<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    throw isDomainError(error) ? toTrpc(error) : error;
  }
}
