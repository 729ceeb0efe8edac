"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { auth } from "@/lib/auth-client";
import { Problem } from "../ui/problem";
import { useRefusal } from "./auth-form";

export function GitHubButton({ next }: { next: string }) {
  const t = useTranslations("public.auth");
  const refusal = useRefusal();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const go = async () => {
    setBusy(true);
    setError(null);
    const errorCallbackURL = `/sign-in?next=${encodeURIComponent(next)}`;
    const refused = await auth.signIn
      .social({ provider: "github", callbackURL: next, errorCallbackURL })
      .then(({ error }) => refusal(error))
      .catch(() => t("unreachable"));
    setError(refused);
    // Where nothing was refused GitHub's page is on its way.
    setBusy(refused === null);
  };
  return (
    <>
      <button type="button" className="btn w-full" disabled={busy} onClick={go}>
        {t("signInGitHub")}
      </button>
      {error && <Problem message={error} className="mt-3" />}
    </>
  );
}
