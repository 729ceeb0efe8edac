import Link from "next/link";
import { runsPath } from "@/lib/run-filter";
import { plainLine } from "@/lib/text";

/** Tags of a run; each leads to the runs that have it. */
export function TagList({ workspace, tags }: { workspace: string; tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="my-1 flex flex-wrap gap-1.5">
      {tags.map((tag) => (
        // In a list a link covers the whole row; these are above it.
        <li key={tag} className="relative z-10 max-w-full">
          <Link className="chip" href={runsPath(workspace, { tag: [tag] })} prefetch={false}>
            <bdi>{plainLine(tag)}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
