import { NextIntlClientProvider } from "next-intl";
import { getMessages } from "next-intl/server";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { inTheBrowser } from "@/lib/messages";
import { ApiProvider } from "@/trpc/client";

export default async function DeviceLayout({ children }: LayoutProps<"/device">) {
  return (
    <ApiProvider>
      <NextIntlClientProvider messages={inTheBrowser(await getMessages())}>
        <Header languages={false} />
        <Main narrow>{children}</Main>
      </NextIntlClientProvider>
    </ApiProvider>
  );
}
