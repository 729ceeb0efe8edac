"use client";

import { Fragment, useEffect, useState } from "react";
import { Dialog } from "../ui/dialog";

const KEYS = [
  ["/", "Search"],
  ["j", "Next run"],
  ["k", "Previous run"],
  ["Enter", "Open the run"],
  ["x", "Select or deselect the run"],
  ["c", "Compare the selected runs"],
  ["?", "Show these shortcuts"],
] as const;

const STORED = "list-keys";

/** Whether single keys act: some people's software types for them, so they can be switched off. */
export function useKeysOn(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(true);
  useEffect(() => {
    try {
      setOn(localStorage.getItem(STORED) !== "off");
    } catch {
      // They are on then.
    }
  }, []);
  const choose = (next: boolean) => {
    setOn(next);
    try {
      if (next) localStorage.removeItem(STORED);
      else localStorage.setItem(STORED, "off");
    } catch {
      // It holds for this page then.
    }
  };
  return [on, choose];
}

interface KeysDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  on: boolean;
  setOn: (on: boolean) => void;
}

export function KeysDialog({ open, onOpenChange, on, setOn }: KeysDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="mt-4 grid grid-cols-[5rem_minmax(0,1fr)] gap-y-1.5">
        {KEYS.map(([key, what]) => (
          <Fragment key={key}>
            <dt>
              <kbd className="border border-line px-1.5">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
      <label className="mt-4 flex cursor-pointer items-center gap-3">
        <input type="checkbox" checked={on} onChange={(event) => setOn(event.target.checked)} />
        Use these shortcuts in this browser
      </label>
      <div className="mt-5 flex justify-end">
        <button type="button" className="btn" onClick={() => onOpenChange(false)}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
