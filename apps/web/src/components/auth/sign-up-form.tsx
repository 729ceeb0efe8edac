"use client";

import { CLAIM_HEADER, INVITATION_HEADER } from "@rigmark/results/settings";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { auth } from "@/lib/auth-client";
import { Field } from "../ui/field";
import { takeFocus } from "../ui/take-focus";
import { AuthForm, text, useRefusal } from "./auth-form";

interface SignUpFormProps {
  /** Where a link in a mail leads, when the address has to be confirmed first. */
  next?: string;
  /** Of the link for the first owner, who confirms nothing. */
  claimToken?: string;
  /** To a workspace. `email`: the only address that may accept it; `proved`: by the link itself. */
  invitation?: { token: string; email: string | null; proved: boolean };
  /** Runs with the new session and says what went wrong, or null. */
  then: () => Promise<string | null>;
}

const headersOf = (claim: string | undefined, invitation: string | undefined): Record<string, string> => ({
  ...(claim ? { [CLAIM_HEADER]: claim } : {}),
  ...(invitation ? { [INVITATION_HEADER]: invitation } : {}),
});

export function SignUpForm({ next = "/", claimToken, invitation, then }: SignUpFormProps) {
  const t = useTranslations("public.auth");
  const refusal = useRefusal();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const submit = async (values: FormData): Promise<string | null> => {
    const [email, password] = [text(values, "email"), text(values, "password")];
    const { data, error } = await auth.signUp.email(
      {
        name: text(values, "name").trim(),
        email,
        password,
        callbackURL: `/sign-in?next=${encodeURIComponent(next)}`,
      },
      { headers: headersOf(claimToken, invitation?.token) },
    );
    if (error) return refusal(error);
    if (data.token) return then();
    if (!claimToken && !invitation?.proved) {
      setSentTo(email);
      return null;
    }
    const signedIn = await auth.signIn.email({ email, password });
    return signedIn.error ? refusal(signedIn.error) : then();
  };
  if (sentTo !== null)
    return (
      <p ref={takeFocus} tabIndex={-1} role="status">
        {t.rich("mailSent", {
          to: () => (
            <bdi key="to" className="font-medium">
              {sentTo}
            </bdi>
          ),
        })}
      </p>
    );
  return (
    <AuthForm action={t("createAccount")} submit={submit}>
      <Field label={t("name")} name="name" autoComplete="name" required maxLength={80} />
      <Field
        label={t("email")}
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={invitation?.email ?? undefined}
        readOnly={Boolean(invitation?.email)}
      />
      <Field
        label={t("password")}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        hint={t("atLeast8")}
      />
    </AuthForm>
  );
}
