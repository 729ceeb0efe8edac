import { NextIntlClientProvider } from "next-intl";
import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { inTheBrowser } from "@/lib/messages";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <NextIntlClientProvider messages={inTheBrowser(await getMessages(), ["public.auth"])}>
      <Header />
      <Main narrow>{children}</Main>
    </NextIntlClientProvider>
  );
}
