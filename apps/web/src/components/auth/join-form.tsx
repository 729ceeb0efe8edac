"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useTRPC } from "@/trpc/client";
import { Problem } from "../ui/problem";
import { SignUpForm } from "./sign-up-form";
import { useSignOut } from "./use-sign-out";

interface JoinFormProps {
  token: string;
  /** The address of this page, with the token. */
  next: string;
  /** The only address that may accept; null: any. */
  email: string | null;
  /** Whoever has the link has shown that the address is theirs. */
  proved: boolean;
  signedInAs: { email: string; fits: boolean } | null;
}

/** Accepts an invitation, with the account that is signed in or with a new one. */
export function JoinForm({ token, next, email, proved, signedInAs }: JoinFormProps) {
  const t = useTranslations("public.auth.join");
  const to = () => <Address key="to">{email}</Address>;
  if (signedInAs === null)
    return (
      <div className="space-y-4">
        {email !== null && <p className="note">{t.rich("onlyFor", { to })}</p>}
        <SignUpForm
          next={next}
          invitation={{ token, email, proved }}
          // The account that was made is a member already; the page leads to the workspace.
          then={async () => {
            window.location.assign(next);
            return null;
          }}
        />
      </div>
    );
  const who = () => <Address key="who">{signedInAs.email}</Address>;
  if (!signedInAs.fits)
    return (
      <div className="space-y-4">
        <p className="note">{t.rich("otherAddress", { to, who })}</p>
        <SignOut next={next} />
      </div>
    );
  return (
    <div className="space-y-4">
      <p>{t.rich("signedInAs", { who })}</p>
      <Accept token={token} />
    </div>
  );
}

function SignOut({ next }: { next: string }) {
  const t = useTranslations("public.auth.join");
  const { signOut, busy, error } = useSignOut(next);
  return (
    <>
      {error && <Problem message={error} />}
      <button type="button" className="btn w-full" disabled={busy} onClick={signOut}>
        {t("signOut")}
      </button>
    </>
  );
}

function Accept({ token }: { token: string }) {
  const t = useTranslations("public.auth.join");
  const trpc = useTRPC();
  const accept = useMutation(
    trpc.invitation.accept.mutationOptions({
      onSuccess: ({ workspace }) => window.location.assign(`/w/${workspace}`),
    }),
  );
  return (
    <>
      {accept.error && <Problem message={accept.error.message} />}
      <button
        type="button"
        className="btn w-full"
        data-kind="primary"
        disabled={accept.isPending || accept.isSuccess}
        onClick={() => accept.mutate({ token })}
      >
        {t("accept")}
      </button>
    </>
  );
}

const Address = ({ children }: { children: ReactNode }) => <bdi className="font-medium">{children}</bdi>;
