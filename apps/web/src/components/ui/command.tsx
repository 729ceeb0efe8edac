import { CopyButton } from "./copy-button";

/** A command to run elsewhere, whole and copyable. */
export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div className="relative">
      <pre className="mono-block pr-20">
        <span className="sr-only">{label}: </span>
        <code>{text}</code>
      </pre>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} size="small">
          Copy
        </CopyButton>
      </div>
    </div>
  );
}
