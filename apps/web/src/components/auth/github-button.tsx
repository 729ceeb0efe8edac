"use client";

import { useState } from "react";
import { auth } from "@/lib/auth-client";
import { Problem } from "../ui/problem";
import { refusal } from "./auth-form";

export function GitHubButton({ next }: { next: string }) {
  const [error, setError] = useState<string | null>(null);
  const go = async () => {
    const answer = await auth.signIn.social({
      provider: "github",
      callbackURL: next,
      errorCallbackURL: "/sign-in",
    });
    setError(refusal(answer.error));
  };
  return (
    <>
      <button type="button" className="btn w-full" onClick={go}>
        Sign in with GitHub
      </button>
      {error && <Problem message={error} className="mt-3" />}
    </>
  );
}
