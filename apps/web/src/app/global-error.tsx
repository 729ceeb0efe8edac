"use client";

import "./globals.css";

export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main className="mx-auto max-w-[40rem] px-6 py-16">
          <h1>Rigmark cannot draw any page now</h1>
          <p className="mt-2 mb-5 text-ink-2">
            The server failed before the page began. Runs on hosts go on by themselves.
          </p>
          <button type="button" className="btn" onClick={reset}>
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
