import { agentEndpoint } from "@/server/agent-endpoint";
import { domain } from "@/server/domain";

export const dynamic = "force-dynamic";

const handle = async (
  request: Request,
  { params }: { params: Promise<{ path: string[] }> },
): Promise<Response> => agentEndpoint(domain(), request, (await params).path);

export { handle as GET, handle as POST, handle as PUT };
