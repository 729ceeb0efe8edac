/** Once, when the server starts. */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: Next sets it, and drops the other branch from the build.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { notePeers } = await import("./server/address");
  notePeers();
  const { startDomain } = await import("./server/domain");
  await startDomain();
  const { openFrozen } = await import("./server/frozen");
  // server.mjs has no other way into the build.
  Object.assign(globalThis, { __rigmarkFrozen: openFrozen });
}
