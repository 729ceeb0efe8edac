"use client";

import { useEffect, useState } from "react";

/** To the sign-in form and back here. A page that is drawn once for many addresses learns its own in the browser. */
export function SignInLink({ label }: { label: string }) {
  const [here, setHere] = useState<string | null>(null);
  useEffect(() => setHere(window.location.pathname + window.location.search), []);
  return (
    <a className="btn" href={here === null ? "/sign-in" : `/sign-in?next=${encodeURIComponent(here)}`}>
      {label}
    </a>
  );
}
