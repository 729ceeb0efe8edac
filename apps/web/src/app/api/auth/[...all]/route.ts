import { auth } from "@/server/auth";

export const dynamic = "force-dynamic";

const handle = (request: Request): Promise<Response> => auth().handler(request);

export { handle as GET, handle as POST };
