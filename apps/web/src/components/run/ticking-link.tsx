"use client";

import Link from "next/link";
import { type PickedRun, readPicked, storePicked, withPicked } from "@/lib/picked-runs";

interface TickingLinkProps {
  workspace: string;
  /** The list of runs, or a part of it. */
  href: string;
  /** Ticked there. */
  runs: readonly PickedRun[];
  /** What is ticked already stays so. */
  keep?: boolean;
  children: string;
}

/** Leads to the list of runs and ticks some of them; without scripts it only leads there. */
export function TickingLink({ workspace, href, runs, keep = false, children }: TickingLinkProps) {
  const tick = () => storePicked(workspace, withPicked(keep ? readPicked(workspace) : [], runs));
  return (
    <Link className="btn" href={href} onClick={tick}>
      {children}
    </Link>
  );
}
