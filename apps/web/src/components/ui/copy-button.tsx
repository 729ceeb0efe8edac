"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";

interface CopyButtonProps {
  text: string;
  children: string;
  kind?: "primary";
  size?: "small";
}

/** Copies and says so. Where the clipboard is closed to pages (plain HTTP), an older way is tried. */
export function CopyButton({ text, children, kind, size }: CopyButtonProps) {
  const t = useTranslations("ui");
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), state === "copied" ? 2000 : 10_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await toClipboard(text)) ? "copied" : "failed");
  return (
    <>
      <button type="button" className="btn" data-kind={kind} data-size={size} onClick={copy}>
        {/* Both texts are always laid out, so that nothing moves. */}
        <span className="grid">
          <span className={`[grid-area:1/1] ${state === "copied" ? "invisible" : ""}`}>{children}</span>
          <span aria-hidden="true" className={`[grid-area:1/1] ${state === "copied" ? "" : "invisible"}`}>
            {t("copied")}
          </span>
        </span>
      </button>
      <span
        className={state === "failed" ? "block max-w-56 bg-panel text-[0.929rem] text-bad" : "sr-only"}
        aria-live="polite"
      >
        {state === "copied" ? t("copiedAloud") : state === "failed" ? t("copyFailed") : ""}
      </span>
    </>
  );
}

async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    return done;
  }
}
