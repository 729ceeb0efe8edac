"use client";

import { type FormEvent, useState } from "react";
import { Dialog } from "./dialog";
import { Field } from "./field";
import { Problem } from "./problem";

interface TypedConfirmProps {
  /** Name of the button that asks, and of the one that does it. */
  action: string;
  title: string;
  description: string;
  /** What has to be typed, and what that is. */
  text: string;
  label: string;
  /** Leads to another page. */
  run: (typed: string) => Promise<unknown>;
}

/** Asks for a name to be typed before something that takes a lot away. */
export function TypedConfirm({ action, title, description, text, label, run }: TypedConfirmProps) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const turn = (to: boolean) => {
    setOpen(to);
    setTyped("");
    setError(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await run(typed);
    } catch (e) {
      setError(e instanceof Error ? e.message : String(e));
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" className="btn" data-kind="danger" onClick={() => turn(true)}>
        {action}
      </button>
      <Dialog open={open} onOpenChange={turn} title={title} description={description}>
        <form onSubmit={submit} className="mt-4 space-y-4">
          <Field
            label={label}
            hint={
              <>
                Type <bdi className="font-medium text-ink">{text}</bdi>.
              </>
            }
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            required
            autoComplete="off"
          />
          {error && <Problem message={error} />}
          <div className="flex flex-wrap justify-end gap-2">
            <button type="button" className="btn" onClick={() => turn(false)}>
              Cancel
            </button>
            <button
              type="submit"
              className="btn"
              data-kind="danger"
              disabled={busy || typed.trim().toLowerCase() !== text.trim().toLowerCase()}
            >
              {action}
            </button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
