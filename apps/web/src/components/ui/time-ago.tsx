"use client";

import { useEffect, useState } from "react";
import { formatAgo, formatMoment } from "@/lib/time";

/** The clock of the page: null on the server and in the first paint, so that both agree. */
export function useNow(everyMs: number): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export function TimeAgo({ at, everyMs = 15_000 }: { at: string | null; everyMs?: number }) {
  const now = useNow(everyMs);
  if (!at) return <>never</>;
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {now === null ? formatMoment(at) : formatAgo(at, now)}
    </time>
  );
}
