import { installScript } from "@/server/release";

export const dynamic = "force-dynamic";

export const GET = (): Promise<Response> => installScript();
