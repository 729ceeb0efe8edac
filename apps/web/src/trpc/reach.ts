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
