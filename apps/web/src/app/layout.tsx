import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { fontVariables } from "./fonts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Rigmark", template: "%s · Rigmark" },
  description: "Server benchmarks on your own machines, in reports that other people can believe.",
  robots: { index: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fafaf8" },
    { media: "(prefers-color-scheme: dark)", color: "#101113" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Every page carries the nonce of its own request (src/proxy.ts), so none is made beforehand.
  await connection();
  return (
    <html lang="en" className={fontVariables} suppressHydrationWarning>
      <head>
        {/* It must run before the first paint: a few hundred bytes from this server. */}
        <script src="/theme.js" />
      </head>
      <body className="min-h-dvh">
        <a href="#main" className="skip-link">
          Skip to content
        </a>
        {children}
      </body>
    </html>
  );
}
