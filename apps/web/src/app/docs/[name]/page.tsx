import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DocBody } from "@/components/docs/doc-body";
import { DocFrame } from "@/components/docs/doc-frame";
import { docOf } from "@/docs";
import { SOURCES } from "@/docs/pages";

export async function generateMetadata({ params }: PageProps<"/docs/[name]">): Promise<Metadata> {
  const { name } = await params;
  const source = SOURCES.find((s) => s.name === name);
  return source ? { title: source.title, description: source.summary } : {};
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
