import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { NextIntlClientProvider } from "next-intl";
import { getMessages } from "next-intl/server";
import { AccountMenu } from "@/components/shell/account-menu";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { WorkspaceMenu } from "@/components/workspace/workspace-menu";
import { inTheBrowser } from "@/lib/messages";
import { caller } from "@/trpc/caller";
import { ApiProvider } from "@/trpc/client";

export default async function AccountLayout({ children }: LayoutProps<"/account">) {
  const api = await caller();
  const { user } = await api.account.me();
  if (!user) redirect(`/sign-in?next=${encodeURIComponent((await headers()).get("x-path") ?? "/account")}`);
  return (
    <ApiProvider>
      <NextIntlClientProvider messages={inTheBrowser(await getMessages())}>
        <Header
          languages={false}
          switcher={<WorkspaceMenu workspaces={await api.workspace.list()} current={null} />}
        >
          <AccountMenu name={user.name} email={user.email} current={null} />
        </Header>
        <Main>{children}</Main>
      </NextIntlClientProvider>
    </ApiProvider>
  );
}
