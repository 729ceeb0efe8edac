"use client";

import type { WorkspaceView } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { plainLine } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { TypedConfirm } from "../ui/typed-confirm";

export function DeleteWorkspace({ workspace }: { workspace: Pick<WorkspaceView, "slug" | "name"> }) {
  const trpc = useTRPC();
  const remove = useMutation(trpc.workspace.delete.mutationOptions());
  return (
    <TypedConfirm
      action="Delete workspace"
      title="Delete this workspace?"
      description="Everyone loses access to its hosts, runs and reports at once, and links to its reports stop working. Unfinished runs are cancelled. For seven days, its owners can restore it from their account page; then it is removed for good."
      label="Name of the workspace"
      text={plainLine(workspace.name)}
      run={async (name) => {
        await remove.mutateAsync({ workspace: workspace.slug, name });
        window.location.assign("/account");
      }}
    />
  );
}
