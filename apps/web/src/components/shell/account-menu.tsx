"use client";

import { Menu } from "@base-ui/react/menu";
import { useRouter } from "next/navigation";
import { useSignOut } from "../auth/use-sign-out";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/problem";

interface AccountMenuProps {
  name: string;
  email: string;
  /** The workspace of the page; null where it belongs to none. */
  current: string | null;
  /** Whether the person may see the log of that workspace. */
  log?: boolean;
}

const OF_WORKSPACE = [
  ["members", "Members"],
  ["alerts", "Alerts"],
  ["tokens", "Tokens of this workspace"],
  ["settings", "Settings of this workspace"],
  ["log", "Log of this workspace"],
] as const;

export function AccountMenu({ name, email, current, log = false }: AccountMenuProps) {
  const router = useRouter();
  const { signOut, busy, error, forget } = useSignOut("/sign-in");
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className="btn" data-kind="quiet" data-size="small" aria-label={`Account of ${name}`}>
          <span className="max-w-16 truncate sm:max-w-32">{name}</span>
          <span aria-hidden="true" className="text-[0.7rem]">
            ▾
          </span>
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end" className="z-40">
            <Menu.Popup className="menu-popup">
              <p className="max-w-64 truncate px-2.5 py-1.5 text-[0.929rem] text-ink-2">{email}</p>
              {current !== null &&
                OF_WORKSPACE.filter(([place]) => place !== "log" || log).map(([place, label]) => (
                  <Menu.Item
                    key={place}
                    className="menu-item"
                    onClick={() => router.push(`/w/${current}/${place}`)}
                  >
                    {label}
                  </Menu.Item>
                ))}
              <Menu.Item className="menu-item" onClick={() => router.push("/account")}>
                Your account
              </Menu.Item>
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
      <Dialog open={error !== null} onOpenChange={forget} title="Signing out did not work">
        <Problem message={error ?? ""} className="mt-3" />
        <div className="mt-5 flex justify-end gap-2">
          <button type="button" className="btn" onClick={forget}>
            Close
          </button>
          <button type="button" className="btn" data-kind="primary" disabled={busy} onClick={signOut}>
            Sign out
          </button>
        </div>
      </Dialog>
    </>
  );
}
