import { languageOfLocale } from "@rigmark/messages";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { FrontPage } from "@/components/shell/front-page";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { LAST_WORKSPACE, landing } from "@/lib/landing";
import { caller } from "@/trpc/caller";

export default async function HomePage() {
  const api = await caller();
  const { user, sign_up } = await api.account.me();
  if (user) {
    const last = (await cookies()).get(LAST_WORKSPACE)?.value;
    const place = landing(await api.workspace.list(), last);
    redirect(place ? `/w/${place.slug}` : "/account");
  }
  const language = languageOfLocale(await getLocale());
  const [{ claimed }, report] = await Promise.all([api.setup.status(), api.setup.firstReport({ language })]);
  return (
    <Page>
      <FrontPage signUp={sign_up} unclaimed={claimed === false} report={report} />
    </Page>
  );
}

const Page = ({ children }: { children: ReactNode }) => (
  <>
    <Header />
    <Main>{children}</Main>
  </>
);
