import { MOST_SEARCH } from "@rigmark/results/run-list";
import type { ReactNode } from "react";

interface ListSearchProps {
  /** Address of the list; what it holds beside the search comes as hidden fields. */
  action: string;
  q: string;
  placeholder: string;
  label: string;
  id?: string;
  /** The key that leads to it. */
  shortcut?: string;
  children?: ReactNode;
}

/** Searches a list by a form, so that its address holds what is searched for. The first page comes. */
export function ListSearch({ action, q, placeholder, label, id, shortcut, children }: ListSearchProps) {
  return (
    <form action={action} className="flex max-w-[36rem] gap-2">
      {children}
      <input
        key={q}
        id={id}
        className="input"
        type="search"
        name="q"
        defaultValue={q}
        maxLength={MOST_SEARCH}
        placeholder={placeholder}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        autoComplete="off"
      />
      <button type="submit" className="btn">
        Search
      </button>
    </form>
  );
}
