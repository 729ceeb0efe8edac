"use client";

import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactNode, useState } from "react";
import { Problem } from "./problem";

interface ConfirmProps {
  /** Name of the button that asks. */
  trigger: string;
  /** What it is done to, where a page has several such buttons. */
  of?: string | undefined;
  title: string;
  children: ReactNode;
  /** Name of the button that does it. */
  action: string;
  keep?: string;
  run: () => Promise<unknown>;
  disabled?: boolean;
  size?: "small";
}

/** Asks once more before something that cannot be taken back. */
export function Confirm({
  trigger,
  of,
  title,
  children,
  action,
  keep = "Keep it",
  run,
  disabled,
  size,
}: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const turn = (to: boolean) => {
    setOpen(to);
    setError(null);
  };
  const act = async () => {
    setBusy(true);
    setError(null);
    try {
      await run();
      setOpen(false);
    } catch (e) {
      setError(e instanceof Error ? e.message : String(e));
    } finally {
      setBusy(false);
    }
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={turn}>
      <AlertDialog.Trigger className="btn" data-kind="danger" data-size={size} disabled={disabled}>
        {trigger}
        {of && <span className="sr-only"> {of}</span>}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog-popup">
          <AlertDialog.Title className="font-semibold text-[1.0715rem]">
            {title}
            {of && (
              <>
                {" "}
                <bdi className="block font-normal [overflow-wrap:anywhere]">{of}</bdi>
              </>
            )}
          </AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-ink-2">{children}</AlertDialog.Description>
          {error && <Problem message={error} className="mt-3" />}
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <AlertDialog.Close className="btn">{keep}</AlertDialog.Close>
            <button type="button" className="btn" data-kind="danger" onClick={act} disabled={busy}>
              {action}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
