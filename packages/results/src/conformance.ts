import type { Conformance } from "@rigmark/protocol";

/**
 * "HTTP: 9 of 11; HEAD /plaintext answers 404 and not 200." A file of its own, without schemas: a public report's browser
 * code needs it.
 */
export function conformanceInWords({ workload, checks }: Pick<Conformance, "workload" | "checks">): string {
  const failed = checks.filter((c) => c.status === "failed");
  const protocol = workload === "ws-echo" ? "WebSocket" : "HTTP";
  const score = `${protocol}: ${checks.length - failed.length} of ${checks.length}`;
  const [first] = failed;
  if (!first) return score;
  const more = failed.length > 1 ? ` And ${failed.length - 1} more.` : "";
  return `${score}; ${first.message ?? first.title}${more}`;
}
