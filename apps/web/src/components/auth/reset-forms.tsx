"use client";

import Link from "next/link";
import { useState } from "react";
import { auth } from "@/lib/auth-client";
import { Field } from "../ui/field";
import { AuthForm, refusal, text } from "./auth-form";

export function ForgotForm({ mail }: { mail: "smtp" | "file" }) {
  const [sent, setSent] = useState<string | null>(null);
  if (sent !== null)
    return (
      <div role="status" className="space-y-3">
        <p>
          If <bdi className="font-medium">{sent}</bdi> has an account, a link to set a new password is on its
          way.
        </p>
        {mail === "file" && (
          <p className="note">
            No mail server is set up here. The mail was written to a file; the server's log names it.
          </p>
        )}
      </div>
    );
  return (
    <AuthForm
      action="Send the link"
      submit={async (values) => {
        const email = text(values, "email");
        const { error } = await auth.requestPasswordReset({ email, redirectTo: "/reset-password" });
        if (!error) setSent(email);
        return refusal(error);
      }}
    >
      <Field label="Email" name="email" type="email" autoComplete="username" required />
    </AuthForm>
  );
}

export function ResetForm({ token }: { token: string }) {
  const [done, setDone] = useState(false);
  if (done)
    return (
      <p role="status">
        The new password is set.{" "}
        <Link className="link" href="/sign-in">
          Sign in
        </Link>
      </p>
    );
  return (
    <AuthForm
      action="Set password"
      submit={async (values) => {
        const { error } = await auth.resetPassword({ newPassword: text(values, "password"), token });
        if (!error) setDone(true);
        return refusal(error);
      }}
    >
      <Field
        label="New password"
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
