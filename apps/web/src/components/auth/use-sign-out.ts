"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { auth } from "@/lib/auth-client";

/** Ends the session and leads to `to`. Who leaves a shared machine has to know when that did not work. */
export function useSignOut(to: string) {
  const t = useTranslations("ui");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const signOut = async () => {
    setBusy(true);
    const refused = await auth
      .signOut()
      .then(({ error: no }) => no && (no.message || t("unreachableStatus", { status: no.status })))
      .catch(() => t("unreachable"));
    setError(refused);
    if (refused === null) window.location.assign(to);
    else setBusy(false);
  };
  return { signOut, busy, error, forget: () => setError(null) };
}
