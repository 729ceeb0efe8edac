import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { GitHubButton } from "@/components/auth/github-button";
import { OpenSignUp } from "@/components/auth/open-sign-up";
import { PageHead } from "@/components/ui/page-head";
import { nextPath } from "@/lib/next-path";
import { caller } from "@/trpc/caller";

export const metadata: Metadata = { title: "Create account" };

export default async function SignUpPage({ searchParams }: PageProps<"/sign-up">) {
  const next = nextPath((await searchParams).next);
  const { user, providers, sign_up } = await (await caller()).account.me();
  if (user) redirect(next);
  if (sign_up === "closed") return <Closed />;
  return (
    <>
      <PageHead title="Create account">
        {sign_up !== "open" && <>Only addresses at {sign_up} can sign up here. </>}
        You get a workspace of your own, for your hosts, runs and reports.
      </PageHead>
      <OpenSignUp next={next} />
      {providers.github && (
        <div className="mt-4 border-line border-t pt-4">
          <GitHubButton next={next} />
        </div>
      )}
      <p className="mt-5">
        Have one already?{" "}
        <Link className="link" href={next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`}>
          Sign in
        </Link>
      </p>
    </>
  );
}

function Closed() {
  return (
    <>
      <PageHead title="Sign-up is closed">Nobody can make an account on this installation now.</PageHead>
      <p className="note mb-5">
        To get one, ask whoever runs it. They open sign-up for everybody or for the addresses of one domain
        with the setting <code className="font-mono">SIGN_UP</code>.
      </p>
      <p className="mb-5">Reading a report needs no account: open its link.</p>
      <Link className="btn" href="/sign-in">
        Sign in
      </Link>
    </>
  );
}
