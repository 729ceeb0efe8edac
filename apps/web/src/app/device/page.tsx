import { UserCode, userCodeFrom } from "@rigmark/results";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ApproveDevice } from "@/components/device/approve-device";
import { CodeForm } from "@/components/device/code-form";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";

export const metadata: Metadata = { title: "Sign in a program" };

/** Where a person approves a program that waits in a terminal. */
export default async function DevicePage({ searchParams }: PageProps<"/device">) {
  const { code: given } = await searchParams;
  const code = userCodeFrom(typeof given === "string" ? given.slice(0, 40) : "");
  const api = await caller();
  const { user } = await api.account.me();
  if (!user) redirect(`/sign-in?next=${encodeURIComponent(code ? `/device?code=${code}` : "/device")}`);
  if (!UserCode.safeParse(code).success)
    return (
      <CodePage
        code={code}
        problem={
          code === "" ? null : "A code has eight letters, such as BCDF-GHJK. Compare it with the terminal."
        }
      />
    );
  const found = await api.device
    .get({ userCode: code })
    .catch((error: unknown) => String((error as Error).message));
  if (typeof found === "string") return <CodePage code={code} problem={found} />;
  const workspaces = await api.workspace.list();
  return (
    <>
      <PageHead title="Sign in a program">
        Approve it only if you started it yourself and it shows the same code.
      </PageHead>
      <ApproveDevice initial={found} email={user.email} workspaces={workspaces} />
    </>
  );
}

const CodePage = ({ code, problem }: { code: string; problem: string | null }) => (
  <>
    <PageHead title="Sign in a program">Type the code that the terminal shows.</PageHead>
    <CodeForm code={code} problem={problem} />
  </>
);
