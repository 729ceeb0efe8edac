"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useState } from "react";
import { Problem } from "../ui/problem";

interface AuthFormProps {
  action: string;
  children: ReactNode;
  /** Returns what went wrong, or null. */
  submit: (values: FormData) => Promise<string | null>;
}

/** A form with one button; what the server refused stands above it, in its own words. */
export function AuthForm({ action, children, submit }: AuthFormProps) {
  const t = useTranslations("public.auth");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    setBusy(true);
    setError(null);
    const refused = await submit(values).catch(() => t("unreachable"));
    setError(refused);
    // Where nothing was refused another page is on its way, or what came of it stands here.
    setBusy(refused === null);
  };
  return (
    // Before its scripts are there the browser itself sends the form: never in an address, which logs keep.
    <form method="post" onSubmit={onSubmit} className="space-y-4">
      <noscript>
        <p className="note mb-4">{t("needsScript")}</p>
      </noscript>
      {children}
      {error && <Problem message={error} />}
      <button type="submit" className="btn w-full" data-kind="primary" disabled={busy}>
        {action}
      </button>
    </form>
  );
}

export const text = (values: FormData, name: string): string => {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
};

/** better-auth answers with a message; where it has none, its status has to do. */
export function useRefusal() {
  const t = useTranslations("public.auth");
  return (error: { message?: string | undefined; status: number } | null): string | null =>
    error ? error.message || t("refused", { status: error.status }) : null;
}
