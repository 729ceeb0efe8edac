import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { inTheBrowser } from "@/lib/messages";
import { fontVariables } from "./fonts";
import "./globals.css";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("public");
  return {
    title: { default: "Rigmark", template: "%s · Rigmark" },
    description: t("description"),
    robots: { index: false },
  };
}

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
  const [locale, messages, t] = await Promise.all([getLocale(), getMessages(), getTranslations("ui")]);
  return (
    <html lang={locale} className={fontVariables} suppressHydrationWarning>
      <head>
        {/* It must run before the first paint: a few hundred bytes from this server. */}
        <script src="/theme.js" />
      </head>
      <body className="min-h-dvh">
        <a href="#main" className="skip-link">
          {t("skip")}
        </a>
        <NextIntlClientProvider messages={inTheBrowser(messages)}>{children}</NextIntlClientProvider>
      </body>
    </html>
  );
}
