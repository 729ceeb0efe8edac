import { checkDatabase } from "@rigmark/domain";
import { domain } from "@/server/domain";
import { errorOf, json } from "@/server/response";
import { version } from "@/server/version";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  try {
    await checkDatabase({ ctx: domain().as({ kind: "anonymous" }) });
    return json({ status: "ok", version, database: "ok" });
  } catch (error) {
    const { message } = errorOf(error);
    return json({ status: "unavailable", version, database: message }, 503);
  }
}
