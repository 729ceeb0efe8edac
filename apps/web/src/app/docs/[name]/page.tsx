import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { DocBody } from "@/components/docs/doc-body";
import { DocFrame } from "@/components/docs/doc-frame";
import { docOf } from "@/docs";
import { SOURCES } from "@/docs/pages";

export async function generateMetadata({ params }: PageProps<"/docs/[name]">): Promise<Metadata> {
  const { name } = await params;
  const t = await getTranslations("docs.pages");
  const known = SOURCES.some((s) => s.name === name);
  return known ? { title: t(`${name}.title`), description: t(`${name}.summary`) } : {};
}

export default async function DocPage({ params }: PageProps<"/docs/[name]">) {
  const { name } = await params;
  const doc = docOf(name);
  if (!doc) notFound();
  return (
    <DocFrame name={name} headings={doc.headings}>
      <DocBody name={name} />
    </DocFrame>
  );
}
