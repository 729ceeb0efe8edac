import type { Words } from "@rigmark/messages";
import type { ToolResult } from "@rigmark/protocol";

const KINDS = ["connect", "read", "write", "timeout", "status", "length", "content", "other"] as const;

/** "read 4, length 60"; null where nothing failed, or the tool does not tell kinds apart. */
export function failureKinds(w: Words, failures: ToolResult["failures"] | undefined): string | null {
  const named = KINDS.flatMap((kind) => {
    const n = failures?.[kind] ?? 0;
    return n > 0 ? [`${w.t(`figure.failures.${kind}`)} ${w.quantity(n, "count")}`] : [];
  });
  return named.length > 0 ? w.join(named) : null;
}
