import type { ReactNode } from "react";
import { useWords } from "@/lib/words";
import { CopyButton } from "./copy-button";

/** Lines break between words, and inside one only where it is longer than a line: never behind the hyphens of a flag. */
const unbroken = (text: string): ReactNode[] =>
  text.split(/(\s+)/).map((part, place) =>
    part.trim() === "" ? (
      part
    ) : (
      <span key={place} className="inline-block max-w-full break-all">
        {part}
      </span>
    ),
  );

/** A command to run elsewhere, whole and copyable. */
export function Command({ text, label }: { text: string; label: string }) {
  const w = useWords();
  return (
    <div className="relative">
      <pre className="mono-block pr-20">
        <span className="sr-only">
          {label}
          {w.t("ui.colon")}
        </span>
        <code>{unbroken(text)}</code>
      </pre>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} size="small">
          {w.t("ui.copy")}
        </CopyButton>
      </div>
    </div>
  );
}
