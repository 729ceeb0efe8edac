"use client";

import { useEffect } from "react";
import { Main } from "@/components/shell/main";
import { apply, readChoice } from "@/lib/theme";

/** Drawn by the browser alone, without what the server would have put around it: the theme has to be set again. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  useEffect(() => apply(readChoice()), []);
  return (
    <Main>
      <h1>This page could not be made</h1>
      <p className="mt-1 mb-5 text-ink-2">
        Nothing was lost. The server may be restarting, or its database may be out of reach.
        {error.digest && <> The server's log has the cause under {error.digest}.</>}
      </p>
      <button type="button" className="btn" onClick={reset}>
        Try again
      </button>
    </Main>
  );
}
