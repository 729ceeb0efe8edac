import type { ReportView } from "@rigmark/results";
import type { Language } from "@rigmark/results/language";
import { cache } from "react";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

/** Once a request, for the page and its metadata. Unknown and revoked slugs are a 404 alike. */
export const loadReport = cache(
  async (slug: string, language: Language): Promise<ReportView> =>
    orNotFound((await caller()).report.bySlug({ slug, language })),
);
