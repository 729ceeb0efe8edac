"use client";

import { useState } from "react";
import { useTRPCClient } from "@/trpc/client";
import { Problem } from "../ui/problem";

/** Hands over what the installation knows of the person, as a file. */
export function ExportAccount() {
  const client = useTRPCClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const download = async () => {
    setBusy(true);
    setError(null);
    try {
      save(JSON.stringify(await client.account.export.query(), null, 2), "rigmark-account.json");
    } catch (e) {
      setError(e instanceof Error ? e.message : String(e));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {error && <Problem message={error} className="mb-3" />}
      <button type="button" className="btn" disabled={busy} onClick={download}>
        Download as JSON
      </button>
    </>
  );
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
