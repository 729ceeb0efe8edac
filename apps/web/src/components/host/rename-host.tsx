"use client";

import type { HostSummary } from "@rigmark/results";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "@/trpc/client";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";

export function RenameHost({ workspace, host }: { workspace: string; host: HostSummary }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState(host.name);
  const rename = useMutation(
    trpc.host.rename.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries({ queryKey: trpc.host.pathKey() });
        setOpen(false);
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ workspace, hostId: host.host_id, name: name.trim() });
  };
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        Rename
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Rename host">
        <form onSubmit={submit} className="mt-4 space-y-4">
          <Field
            label="Name"
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
            maxLength={80}
            error={rename.error?.message}
          />
          <div className="flex justify-end gap-2">
            <button type="button" className="btn" onClick={() => setOpen(false)}>
              Keep the name
            </button>
            <button
              type="submit"
              className="btn"
              data-kind="primary"
              disabled={rename.isPending || !name.trim()}
            >
              Rename
            </button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
