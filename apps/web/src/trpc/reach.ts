import { TRPCError } from "@trpc/server";
import { notFound } from "next/navigation";

/** What is not there and what is another workspace's look the same: a 404 page. */
export async function orNotFound<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST"))
      notFound();
    throw error;
  }
}

const isGone = (cause: unknown): boolean => (cause as { code?: unknown } | null | undefined)?.code === "gone";

/** The same, but a deleted run is named as such to whoever may see its workspace. */
export async function orDeleted<T>(result: Promise<T>): Promise<{ found: T } | { deleted: string }> {
  try {
    return { found: await result };
  } catch (error) {
    if (error instanceof TRPCError && isGone(error.cause)) return { deleted: error.message };
    return { found: await orNotFound<T>(Promise.reject(error)) };
  }
}
