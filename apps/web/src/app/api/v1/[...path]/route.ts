import { publicApi } from "@/server/public-api";

export const dynamic = "force-dynamic";

const handle = (request: Request): Promise<Response> => publicApi(request);

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT };
