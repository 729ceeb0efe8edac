"use client";

import { useRouter } from "next/navigation";
import { type ChangeEvent, type ReactNode, useEffect, useRef, useTransition } from "react";

interface FilterFormProps {
  /** Path of the page. */
  action: string;
  /** Changes with what is shown. The page may have replaced the field that was used, so its successor gets the focus. */
  state: string;
  className: string;
  children: ReactNode;
}

/** A form whose address is the state of the page. What is chosen applies at once; without scripts the button sends it. */
export function FilterForm({ action, state, className, children }: FilterFormProps) {
  const router = useRouter();
  const [pending, begin] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const used = useRef<{ name: string; value: string | null } | null>(null);

  function apply(event: ChangeEvent<HTMLFormElement>) {
    const field: unknown = event.target;
    const box = field instanceof HTMLInputElement && field.type === "checkbox";
    // Text is sent by its Enter key: nobody wants a list for each letter.
    if (!box && !(field instanceof HTMLSelectElement)) return;
    used.current = { name: field.name, value: box ? field.value : null };
    const chosen = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    );
    const query = new URLSearchParams(chosen).toString();
    begin(() => router.replace(`${action}${query && `?${query}`}`, { scroll: false }));
  }

  useEffect(() => {
    const last = used.current;
    if (!last || document.activeElement !== document.body) return;
    for (const field of form.current?.elements ?? [])
      if (
        (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) &&
        field.name === last.name &&
        (last.value === null || field.value === last.value)
      )
        field.focus({ preventScroll: true });
  }, [state]);

  return (
    <form ref={form} action={action} className={className} aria-busy={pending} onChange={apply}>
      {children}
    </form>
  );
}
