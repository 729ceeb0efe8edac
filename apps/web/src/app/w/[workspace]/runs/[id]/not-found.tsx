"use client";

import Link from "next/link";
import { useParams } from "next/navigation";
import { PageHead } from "@/components/ui/page-head";

/** A link to a run outlives it. */
export default function RunNotFound() {
  const { workspace } = useParams<{ workspace: string }>();
  return (
    <>
      <PageHead title="There is no such run in this workspace">
        A deleted run is removed for good after seven days; its reports stay.
      </PageHead>
      <div className="flex flex-wrap gap-2">
        <Link className="btn" href={`/w/${workspace}/runs`}>
          Go to runs
        </Link>
        <Link className="btn" href={`/w/${workspace}/reports`}>
          Reports
        </Link>
      </div>
    </>
  );
}
