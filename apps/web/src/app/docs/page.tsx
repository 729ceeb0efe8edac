import type { Metadata } from "next";
import { DocFrame } from "@/components/docs/doc-frame";
import { Command } from "@/components/ui/command";
import { GROUPS } from "@/docs/pages";

export const metadata: Metadata = { title: "Docs" };

export default function DocsPage() {
  return (
    <DocFrame>
      <h1>Docs</h1>
      <p className="mt-2 mb-4 max-w-[65ch] text-ink-2">
        Rigmark measures servers on your own machines. From a fresh clone, one command starts the app and an
        agent, and makes a first report:
      </p>
      <div className="max-w-[30rem]">
        <Command label="Install and start" text="./rig up" />
      </div>
      {GROUPS.map((group) => (
        <section key={group.title} className="mt-7">
          <h2 className="mb-1">{group.title}</h2>
          <ul className="divide-y divide-line">
            {group.pages.map((page) => (
              <li key={page.name} className="grid gap-x-4 py-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
                <a className="link" href={`/docs/${page.name}`}>
                  {page.title}
                </a>
                <span className="text-ink-2">{page.summary}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </DocFrame>
  );
}
