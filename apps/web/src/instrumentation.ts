/** Once, when the server starts. */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: Next sets it, and drops the other branch from the build.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { notePeers } = await import("./server/address");
  notePeers();
  const { startDomain } = await import("./server/domain");
  await startDomain();
}
