import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ApiReference, anchorOfPart } from "@/components/docs/api-reference";
import { DocBody } from "@/components/docs/doc-body";
import { DocFrame } from "@/components/docs/doc-frame";
import { docOf } from "@/docs";
import { referenceOf } from "@/docs/reference";
import { apiDocument } from "@/server/public-api";

const NAME = "api";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("docs.pages");
  return { title: t(`${NAME}.title`), description: t(`${NAME}.summary`) };
}

/** docs/api.md, and below it the reference, drawn from the very document that programs get. */
export default function ApiDocPage() {
  const reference = referenceOf(apiDocument());
  const headings = [
    ...(docOf(NAME)?.headings ?? []),
    { id: "errors", text: "Errors", depth: 2 },
    ...reference.parts.flatMap((part) => [
      { id: anchorOfPart(part.name), text: part.name, depth: 2 },
      ...part.operations.map(({ id, summary }) => ({ id, text: summary, depth: 3 })),
    ]),
    { id: "schemas", text: "Schemas", depth: 2 },
  ];
  return (
    <DocFrame name={NAME} headings={headings}>
      <DocBody name={NAME} />
      <ApiReference reference={reference} />
    </DocFrame>
  );
}
