import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { GitHubButton } from "@/components/auth/github-button";
import { SignInForm } from "@/components/auth/sign-in-form";
import { PageHead } from "@/components/ui/page-head";
import { nextPath } from "@/lib/next-path";
import { caller } from "@/trpc/caller";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const next = nextPath((await searchParams).next);
  const { user, providers } = await (await caller()).account.me();
  if (user) redirect(next);
  return (
    <>
      <PageHead title="Sign in" />
      <SignInForm next={next} />
      {providers.github && (
        <div className="mt-4 border-line border-t pt-4">
          <GitHubButton next={next} />
        </div>
      )}
      <p className="mt-5 flex flex-wrap justify-between gap-3">
        <Link className="link" href={next === "/" ? "/sign-up" : `/sign-up?next=${encodeURIComponent(next)}`}>
          Create an account
        </Link>
        <Link className="link" href="/forgot-password">
          Forgot your password?
        </Link>
      </p>
    </>
  );
}
