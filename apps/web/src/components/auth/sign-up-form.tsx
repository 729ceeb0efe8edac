"use client";

import { CLAIM_HEADER } from "@rigmark/results/settings";
import { useState } from "react";
import { auth } from "@/lib/auth-client";
import { Field } from "../ui/field";
import { AuthForm, refusal, text } from "./auth-form";

interface SignUpFormProps {
  /** Where a link in a mail leads, when the address has to be confirmed first. */
  next?: string;
  /** Of the link for the first owner, who confirms nothing. */
  claimToken?: string;
  /** Runs with the new session and says what went wrong, or null. */
  then: () => Promise<string | null>;
}

export function SignUpForm({ next = "/", claimToken, then }: SignUpFormProps) {
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
      claimToken ? { headers: { [CLAIM_HEADER]: claimToken } } : {},
    );
    if (error) return refusal(error);
    if (data.token) return then();
    if (!claimToken) {
      setSentTo(email);
      return null;
    }
    const signedIn = await auth.signIn.email({ email, password });
    return signedIn.error ? refusal(signedIn.error) : then();
  };
  if (sentTo !== null)
    return (
      <p role="status">
        We sent a mail to <bdi className="font-medium">{sentTo}</bdi>. Open the link in it within an hour to
        confirm your address; you are signed in then.
      </p>
    );
  return (
    <AuthForm action="Create account" submit={submit}>
      <Field label="Name" name="name" autoComplete="name" required maxLength={80} />
      <Field label="Email" name="email" type="email" autoComplete="username" required />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        hint="At least 8 characters."
      />
    </AuthForm>
  );
}
