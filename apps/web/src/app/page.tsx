import { cookies } from "next/headers";
import Link from "next/link";
import { redirect } from "next/navigation";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { LAST_WORKSPACE, landing } from "@/lib/landing";
import { caller } from "@/trpc/caller";

export default async function HomePage() {
  const api = await caller();
  const { user } = await api.account.me();
  if (user) {
    const last = (await cookies()).get(LAST_WORKSPACE)?.value;
    const place = landing(await api.workspace.list(), last);
    if (place) redirect(`/w/${place.slug}/runs`);
  }
  return (
    <>
      <Header />
      <Main>
        <div className="max-w-[44rem] py-8 sm:py-14">
          <h1 className="text-[1.75rem] leading-tight">Server benchmarks that other people can believe</h1>
          <ol className="mt-5 space-y-2 text-[1.0715rem] text-ink-2">
            <li>
              An agent on your own machine builds the servers, proves that they answer correctly, and loads
              them.
            </li>
            <li>
              You watch each trial live; every number keeps its unit, its spread and the tool that made it.
            </li>
            <li>You share a frozen report: verdict, charts, method, and the command that repeats it.</li>
          </ol>
          {user ? (
            <p className="note mt-8">
              This account belongs to no workspace, so it has no hosts and no runs. Sign out, and sign in with
              the account that has them. A report needs no account: its link is enough.
            </p>
          ) : (
            <p className="mt-8 flex flex-wrap gap-2">
              <Link className="btn" data-kind="primary" href="/sign-in">
                Sign in
              </Link>
              <Link className="btn" href="/sign-up">
                Create account
              </Link>
            </p>
          )}
        </div>
      </Main>
    </>
  );
}
