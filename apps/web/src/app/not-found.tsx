import Link from "next/link";
import { Header, Main } from "@/components/shell/header";
import { PageHead } from "@/components/ui/page-head";

export default function NotFound() {
  return (
    <>
      <Header />
      <Main>
        <PageHead title="There is nothing here">
          The address is wrong, or it belongs to a workspace that you are not a member of.
        </PageHead>
        <Link className="btn" href="/">
          Go to your workspace
        </Link>
      </Main>
    </>
  );
}
