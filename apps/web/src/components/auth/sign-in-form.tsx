"use client";

import { auth } from "@/lib/auth-client";
import { Field } from "../ui/field";
import { AuthForm, refusal, text } from "./auth-form";

export function SignInForm({ next }: { next: string }) {
  return (
    <AuthForm
      action="Sign in"
      submit={async (values) => {
        const { error } = await auth.signIn.email({
          email: text(values, "email"),
          password: text(values, "password"),
          callbackURL: `/sign-in?next=${encodeURIComponent(next)}`,
        });
        if (error?.code === "EMAIL_NOT_VERIFIED")
          return "Confirm your address first: we have just sent you a mail. Open the link in it within an hour.";
        if (!error) window.location.assign(next);
        return refusal(error);
      }}
    >
      <Field label="Email" name="email" type="email" autoComplete="username" required />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
    </AuthForm>
  );
}
