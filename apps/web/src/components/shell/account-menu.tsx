"use client";

import { Menu } from "@base-ui/react/menu";
import { useRouter } from "next/navigation";
import { auth } from "@/lib/auth-client";

interface AccountMenuProps {
  name: string;
  email: string;
  workspaces: { slug: string; name: string }[];
  /** The workspace of the page; null where it belongs to none. */
  current: string | null;
}

export function AccountMenu({ name, email, workspaces, current }: AccountMenuProps) {
  const router = useRouter();
  const signOut = async () => {
    await auth.signOut();
    router.push("/sign-in");
    router.refresh();
  };
  return (
    <Menu.Root>
      <Menu.Trigger className="btn" data-kind="quiet" data-size="small" aria-label={`Account of ${name}`}>
        <span className="max-w-32 truncate">{name}</span>
        <span aria-hidden="true" className="text-[0.7rem]">
          ▾
        </span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="z-40">
          <Menu.Popup className="menu-popup">
            <p className="max-w-64 truncate px-2.5 py-1.5 text-[0.929rem] text-ink-2">{email}</p>
            {(workspaces.length > 1 || current === null) &&
              workspaces.map((w) => (
                <Menu.Item
                  key={w.slug}
                  className="menu-item"
                  onClick={() => router.push(`/w/${w.slug}/runs`)}
                >
                  {w.slug === current ? "✓ " : ""}
                  <bdi>{w.name}</bdi>
                </Menu.Item>
              ))}
            {current !== null && (
              <>
                <Menu.Item className="menu-item" onClick={() => router.push(`/w/${current}/alerts`)}>
                  Alerts of this workspace
                </Menu.Item>
                <Menu.Item className="menu-item" onClick={() => router.push(`/w/${current}/tokens`)}>
                  Tokens of this workspace
                </Menu.Item>
              </>
            )}
            <Menu.Item className="menu-item" onClick={() => router.push("/account/tokens")}>
              Your tokens
            </Menu.Item>
            <Menu.Item className="menu-item" onClick={signOut}>
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
