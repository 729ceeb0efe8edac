"use client";

import { auth } from "@/lib/auth-client";
import { Field } from "../ui/field";
import { AuthForm, refusal, text } from "./auth-form";

interface SignUpFormProps {
  /** Runs with the new session and says what went wrong, or null. */
  then: () => Promise<string | null>;
}

export function SignUpForm({ then }: SignUpFormProps) {
  return (
    <AuthForm
      action="Create account"
      submit={async (values) => {
        const { error } = await auth.signUp.email({
          name: text(values, "name").trim(),
          email: text(values, "email"),
          password: text(values, "password"),
        });
        return error ? refusal(error) : then();
      }}
    >
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
