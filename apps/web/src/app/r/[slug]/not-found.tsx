import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { PageHead } from "@/components/ui/page-head";

export default function ReportNotFound() {
  return (
    <>
      <Header />
      <Main>
        <PageHead title="There is no report here">
          The link is wrong, or its owner has revoked the report. A revoked report is gone for everyone; ask
          whoever gave you the link for a new one.
        </PageHead>
      </Main>
    </>
  );
}
