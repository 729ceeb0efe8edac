import { TRPCError } from "@trpc/server";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";

/** To the sign-in form, and back here afterward. */
export async function toSignIn(): Promise<never> {
  redirect(`/sign-in?next=${encodeURIComponent((await headers()).get("x-path") ?? "/")}`);
}

/**
 * What is not there and what is another workspace's look the same: a 404 page. A layout that is already there does not
 * notice when the session ends; the page under it does.
 */
export async function orNotFound<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST"))
      notFound();
    if (error instanceof TRPCError && error.code === "UNAUTHORIZED") await toSignIn();
    throw error;
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof TRPCError ? (error.cause as { code?: unknown } | null | undefined)?.code : undefined;

/** The same, but a deleted run is named as such to whoever may see its workspace. */
export async function orDeleted<T>(result: Promise<T>): Promise<{ found: T } | { deleted: string }> {
  try {
    return { found: await result };
  } catch (error) {
    if (codeOf(error) === "gone") return { deleted: (error as TRPCError).message };
    return { found: await orNotFound<T>(Promise.reject(error)) };
  }
}

export interface Refused {
  /** The domain's own sentence. */
  reason: string;
  /** By somebody; it may be restored. */
  deleted: boolean;
}

/** For what a link names and is not there any more, on pages whose reader is known to be in the workspace. */
export async function orReason<T>(result: Promise<T>): Promise<{ found: T } | Refused> {
  try {
    return { found: await result };
  } catch (error) {
    const code = codeOf(error);
    if (code === "gone" || code === "not_found" || code === "invalid")
      return { reason: (error as TRPCError).message, deleted: code === "gone" };
    return { found: await orNotFound<T>(Promise.reject(error)) };
  }
}
