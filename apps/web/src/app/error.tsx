"use client";

import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { PageHead } from "@/components/ui/page-head";

export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <>
      <Header />
      <Main>
        <PageHead title="This page could not be made">
          Nothing was lost. The server may be restarting, or its database may be out of reach.
          {error.digest && <> The server's log has the cause under {error.digest}.</>}
        </PageHead>
        <button type="button" className="btn" onClick={reset}>
          Try again
        </button>
      </Main>
    </>
  );
}
