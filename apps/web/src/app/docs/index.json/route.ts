import { allSections } from "@/docs";

/** What the search in the browser looks through. */
export const GET = () =>
  Response.json(allSections(), { headers: { "Cache-Control": "public, max-age=300" } });
