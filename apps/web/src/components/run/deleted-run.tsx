"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTRPC } from "@/trpc/client";
import { Empty } from "../ui/empty";
import { PageHead } from "../ui/page-head";
import { Problem } from "../ui/problem";

interface DeletedRunProps {
  workspace: string;
  runId: string;
  /** Until when it can be restored. */
  sentence: string;
  mayRestore: boolean;
}

/** Where a link leads to a run that was deleted. */
export function DeletedRun({ workspace, runId, sentence, mayRestore }: DeletedRunProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const restore = useMutation(trpc.run.restore.mutationOptions({ onSuccess: () => router.refresh() }));
  return (
    <>
      <PageHead title="Run" />
      <Empty
        title="Deleted"
        action={
          <>
            {mayRestore && (
              <button
                type="button"
                className="btn"
                data-kind="primary"
                disabled={restore.isPending}
                onClick={() => restore.mutate({ workspace, runIds: [runId] })}
              >
                Restore
              </button>
            )}
            <Link className="btn" href={`/w/${workspace}/runs`}>
              Go to runs
            </Link>
          </>
        }
      >
        <p>
          {sentence}
          {!mayRestore && " Ask an admin or an owner of the workspace to restore it."}
        </p>
        {restore.error && <Problem message={restore.error.message} className="mt-3" />}
      </Empty>
    </>
  );
}
