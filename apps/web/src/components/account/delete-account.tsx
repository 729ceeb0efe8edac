"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client";
import { TypedConfirm } from "../ui/typed-confirm";

export function DeleteAccount({ email }: { email: string }) {
  const trpc = useTRPC();
  const remove = useMutation(trpc.account.delete.mutationOptions());
  return (
    <TypedConfirm
      action="Delete account"
      title="Delete your account?"
      description="Your sessions and tokens end at once, and this cannot be undone. Workspaces that only you belong to are deleted with it. What you made in other workspaces stays there."
      label="Address of your account"
      text={email}
      run={async (typed) => {
        await remove.mutateAsync({ email: typed });
        window.location.assign("/");
      }}
    />
  );
}
