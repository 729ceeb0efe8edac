"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { auth } from "@/lib/auth-client";
import { Field } from "../ui/field";
import { takeFocus } from "../ui/take-focus";
import { AuthForm, text, useRefusal } from "./auth-form";

export function ForgotForm({ mail }: { mail: "smtp" | "file" }) {
  const t = useTranslations("public.auth");
  const refusal = useRefusal();
  const [sent, setSent] = useState<string | null>(null);
  if (sent !== null)
    return (
      <div ref={takeFocus} tabIndex={-1} role="status" className="space-y-3">
        <p>
          {t.rich("linkSent", {
            to: () => (
              <bdi key="to" className="font-medium">
                {sent}
              </bdi>
            ),
          })}
        </p>
        {mail === "file" && <p className="note">{t("mailFile")}</p>}
      </div>
    );
  return (
    <AuthForm
      action={t("sendLink")}
      submit={async (values) => {
        const email = text(values, "email");
        const { error } = await auth.requestPasswordReset({ email, redirectTo: "/reset-password" });
        if (!error) setSent(email);
        return refusal(error);
      }}
    >
      <Field label={t("email")} name="email" type="email" autoComplete="username" required />
    </AuthForm>
  );
}

export function ResetForm({ token }: { token: string }) {
  const t = useTranslations("public.auth");
  const refusal = useRefusal();
  const [done, setDone] = useState(false);
  if (done)
    return (
      <p ref={takeFocus} tabIndex={-1} role="status">
        {t("passwordSet")}{" "}
        <Link className="link" href="/sign-in">
          {t("signIn")}
        </Link>
      </p>
    );
  return (
    <AuthForm
      action={t("setPassword")}
      submit={async (values) => {
        const { error } = await auth.resetPassword({ newPassword: text(values, "password"), token });
        if (!error) setDone(true);
        return refusal(error);
      }}
    >
      <Field
        label={t("newPassword")}
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
