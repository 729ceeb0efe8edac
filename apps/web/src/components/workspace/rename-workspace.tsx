"use client";

import type { WorkspaceView } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { plainLine } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { Field } from "../ui/field";

export function RenameWorkspace({ workspace }: { workspace: Pick<WorkspaceView, "slug" | "name"> }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [name, setName] = useState(plainLine(workspace.name));
  const rename = useMutation(trpc.workspace.rename.mutationOptions({ onSuccess: () => router.refresh() }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ workspace: workspace.slug, name: name.trim() });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <Field
        label="Name"
        className="min-w-0 flex-1 basis-64"
        value={name}
        onChange={(event) => setName(event.target.value)}
        required
        maxLength={80}
        error={rename.error?.message}
      />
      <button type="submit" className="btn" disabled={rename.isPending || !name.trim()}>
        Rename
      </button>
      <span role="status" className="w-full text-[0.929rem] text-ink-2">
        {rename.isSuccess ? "Renamed. The address stays the same." : ""}
      </span>
    </form>
  );
}
