"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTRPC } from "@/trpc/client";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";

interface NewWorkspaceProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for a name, makes the workspace and goes there. */
export function NewWorkspace({ open, onOpenChange }: NewWorkspaceProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const [name, setName] = useState("");
  const create = useMutation(
    trpc.workspace.create.mutationOptions({
      onSuccess: ({ slug }) => {
        onOpenChange(false);
        setName("");
        router.push(`/w/${slug}`);
        router.refresh();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name: name.trim() });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New workspace"
      description="A workspace has its own hosts, runs, reports and members. You will be its owner."
    >
      <form onSubmit={submit} className="mt-4 space-y-4">
        <Field
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={80}
          error={create.error?.message}
        />
        <div className="flex justify-end gap-2">
          <button type="button" className="btn" onClick={() => onOpenChange(false)}>
            Cancel
          </button>
          <button
            type="submit"
            className="btn"
            data-kind="primary"
            disabled={create.isPending || !name.trim()}
          >
            Create workspace
          </button>
        </div>
      </form>
    </Dialog>
  );
}
