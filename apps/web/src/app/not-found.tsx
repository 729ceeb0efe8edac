import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { PageHead } from "@/components/ui/page-head";

export default function NotFound() {
  return (
    <>
      <Header />
      <Main>
        <PageHead title="There is nothing here">
          The address is wrong, or it belongs to a workspace that you are not a member of.
        </PageHead>
        <a className="btn" href="/">
          Go to your workspace
        </a>
      </Main>
    </>
  );
}
