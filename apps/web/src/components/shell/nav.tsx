"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";

const PLACES = [
  ["", "Overview"],
  ["runs", "Runs"],
  ["history", "History"],
  ["hosts", "Hosts"],
  ["servers", "Servers"],
  ["reports", "Reports"],
] as const;

export function Nav({ workspace }: { workspace: string }) {
  const path = usePathname();
  return (
    <nav aria-label="Workspace" className="flex flex-wrap sm:gap-1">
      {PLACES.map(([place, name]) => {
        const href = place === "" ? `/w/${workspace}` : `/w/${workspace}/${place}`;
        const here = path === href || (place !== "" && path.startsWith(`${href}/`));
        return (
          <Link
            key={place}
            href={href}
            aria-current={here ? "page" : undefined}
            className="border-transparent border-b-2 px-[0.55rem] py-2.5 sm:px-2.5 text-ink-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
          >
            {name}
          </Link>
        );
      })}
    </nav>
  );
}
