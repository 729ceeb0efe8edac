import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { NextIntlClientProvider } from "next-intl";
import { getMessages } from "next-intl/server";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { AccountMenu } from "@/components/shell/account-menu";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { MayProvider } from "@/components/shell/may";
import { Nav } from "@/components/shell/nav";
import { WorkspaceMenu } from "@/components/workspace/workspace-menu";
import { inWorkspace } from "@/lib/messages";
import { caller } from "@/trpc/caller";
import { ApiProvider } from "@/trpc/client";
import { places } from "@/trpc/places";

export default async function WorkspaceLayout({ children, params }: LayoutProps<"/w/[workspace]">) {
  const { workspace } = await params;
  const api = await caller();
  const { user } = await api.account.me();
  if (!user)
    redirect(`/sign-in?next=${encodeURIComponent((await headers()).get("x-path") ?? `/w/${workspace}`)}`);
  const workspaces = await places();
  const here = workspaces.find((w) => w.slug === workspace);
  if (!here) notFound();
  return (
    <ApiProvider>
      <NextIntlClientProvider messages={inWorkspace(await getMessages())}>
        <NuqsAdapter>
          <Header
            home={`/w/${here.slug}`}
            switcher={<WorkspaceMenu workspaces={workspaces} current={here.slug} />}
            context={<Nav workspace={here.slug} />}
            languages={false}
          >
            <AccountMenu
              name={user.name}
              email={user.email}
              current={here.slug}
              log={here.may.includes("readAudit")}
            />
          </Header>
          <MayProvider may={here.may}>
            <Main>{children}</Main>
          </MayProvider>
        </NuqsAdapter>
      </NextIntlClientProvider>
    </ApiProvider>
  );
}
