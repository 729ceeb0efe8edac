import { foreignParts } from "@rigmark/messages";
import { Fragment } from "react";

/** Text of `Words`: what is in English on a Chinese page says so. */
export function Text({ text }: { text: string }) {
  // An English page has none, and a table of it hundreds of texts.
  if (!text.includes("\u2068")) return <>{text}</>;
  const parts = foreignParts(text);
  if (parts.every((part) => !part.foreign)) return <>{text}</>;
  return parts.map((part, place) =>
    part.foreign ? (
      <span key={place} lang="en">
        {part.text}
      </span>
    ) : (
      <Fragment key={place}>{part.text}</Fragment>
    ),
  );
}
