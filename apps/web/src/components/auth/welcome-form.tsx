"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPC } from "@/trpc/client";
import { Problem } from "../ui/problem";
import { SignUpForm } from "./sign-up-form";

/** The first owner: make the account, then take over the workspace that was set up with this installation. */
export function WelcomeForm({ token, signedInAs }: { token: string; signedInAs: string | null }) {
  const t = useTranslations("public.auth");
  const trpc = useTRPC();
  const claim = useMutation(trpc.setup.claim.mutationOptions());
  // An account that was made before the claim failed must not be asked for twice.
  const [account, setAccount] = useState(signedInAs);
  const take = async (): Promise<string | null> => {
    try {
      const { workspace } = await claim.mutateAsync({ token });
      window.location.assign(`/w/${workspace}`);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  if (account === null)
    return (
      <SignUpForm
        claimToken={token}
        then={async () => {
          const refused = await take();
          if (refused) setAccount(t("yourNewAccount"));
          return refused;
        }}
      />
    );
  return (
    <div className="space-y-4">
      <p>
        {t.rich("signedInAs", {
          who: () => (
            <bdi key="who" className="font-medium">
              {account}
            </bdi>
          ),
        })}
      </p>
      {claim.error && <Problem message={claim.error.message} />}
      <button
        type="button"
        className="btn w-full"
        data-kind="primary"
        onClick={take}
        disabled={claim.isPending || claim.isSuccess}
      >
        {t("takeOver")}
      </button>
    </div>
  );
}
