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
      description="Your sessions and tokens stop working at once. Workspaces in which you are the only member are deleted, too. The installation's own workspace stays, with its runs, for its next owner. What you created in other workspaces stays there, but their tokens that you created are revoked. This cannot be undone."
      label="Email address of your account"
      text={email}
      run={async (typed) => {
        await remove.mutateAsync({ email: typed });
        window.location.assign("/");
      }}
    />
  );
}
