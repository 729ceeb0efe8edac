"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { auth } from "@/lib/auth-client";
import { Problem } from "../ui/problem";
import { useRefusal } from "./auth-form";

export function GitHubButton({ next }: { next: string }) {
  const t = useTranslations("public.auth");
  const refusal = useRefusal();
  const [error, setError] = useState<string | null>(null);
  const go = async () => {
    const response = await auth.signIn.social({
      provider: "github",
      callbackURL: next,
      errorCallbackURL: "/sign-in",
    });
    setError(refusal(response.error));
  };
  return (
    <>
      <button type="button" className="btn w-full" onClick={go}>
        {t("signInGitHub")}
      </button>
      {error && <Problem message={error} className="mt-3" />}
    </>
  );
}
