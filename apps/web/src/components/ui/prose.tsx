import { plainText } from "@/lib/text";

/** A cure: a sentence, or a bare command. */
export function Cure({ text }: { text: string }) {
  const command = !text.includes("`") && !/[.!]$/.test(text.trim());
  return <Prose text={command ? `\`${text}\`` : text} />;
}

/** Why something does not work on a host, and what to do about it, as the host's agent put it. */
export function ReasonAndCure({ reason, fix }: { reason: string | null; fix: string | null }) {
  return (
    <>
      {reason ? <Prose text={reason} /> : "Does not work on this host; the agent gave no reason."}
      {fix && (
        <span className="text-ink-2">
          {" "}
          <Cure text={fix} />
        </span>
      )}
    </>
  );
}

/** A sentence from an agent; what stands between backticks is a command. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {plainText(text)
        .split("`")
        .map((part, index, all) =>
          index % 2 === 1 && index < all.length - 1 ? (
            <code key={index} className="bg-sunk px-1 text-ink">
              {part}
            </code>
          ) : (
            part
          ),
        )}
    </>
  );
}
