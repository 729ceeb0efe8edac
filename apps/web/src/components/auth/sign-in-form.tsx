"use client";

import { useTranslations } from "next-intl";
import { auth } from "@/lib/auth-client";
import { Field } from "../ui/field";
import { AuthForm, text, useRefusal } from "./auth-form";

export function SignInForm({ next }: { next: string }) {
  const t = useTranslations("public.auth");
  const refusal = useRefusal();
  return (
    <AuthForm
      action={t("signIn")}
      submit={async (values) => {
        const { error } = await auth.signIn.email({
          email: text(values, "email"),
          password: text(values, "password"),
          callbackURL: `/sign-in?next=${encodeURIComponent(next)}`,
        });
        if (error?.code === "EMAIL_NOT_VERIFIED") return t("confirmFirst");
        if (!error) window.location.assign(next);
        return refusal(error);
      }}
    >
      <Field label={t("email")} name="email" type="email" autoComplete="username" required />
      <Field label={t("password")} name="password" type="password" autoComplete="current-password" required />
    </AuthForm>
  );
}
