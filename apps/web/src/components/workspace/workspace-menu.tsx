"use client";

import { Menu } from "@base-ui/react/menu";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { plainLine } from "@/lib/text";
import { NewWorkspace } from "./new-workspace";

interface WorkspaceMenuProps {
  workspaces: { slug: string; name: string }[];
  /** The workspace of the page; null where it belongs to none. */
  current: string | null;
}

/** Which workspace this is; leads to the others, and makes a new one. */
export function WorkspaceMenu({ workspaces, current }: WorkspaceMenuProps) {
  const router = useRouter();
  const [making, setMaking] = useState(false);
  const here = workspaces.find((w) => w.slug === current);
  const name = here ? plainLine(here.name) : "Workspaces";
  return (
    <>
      <Menu.Root>
        <Menu.Trigger
          className="btn"
          data-kind="quiet"
          data-size="small"
          aria-label={here ? `Workspace ${name}` : name}
        >
          <bdi className="max-w-20 truncate sm:max-w-40">{name}</bdi>
          <span aria-hidden="true" className="text-[0.7rem]">
            ▾
          </span>
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="start" className="z-40">
            <Menu.Popup className="menu-popup max-w-80">
              {workspaces.map((w) => (
                <Menu.Item
                  key={w.slug}
                  className="menu-item [overflow-wrap:anywhere]"
                  onClick={() => router.push(`/w/${w.slug}`)}
                >
                  {w.slug === current ? "✓ " : ""}
                  <bdi>{plainLine(w.name)}</bdi>
                </Menu.Item>
              ))}
              <Menu.Item className="menu-item" onClick={() => setMaking(true)}>
                New workspace…
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <NewWorkspace open={making} onOpenChange={setMaking} />
    </>
  );
}
