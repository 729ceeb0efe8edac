import Link from "next/link";
import { historiesPath } from "@/lib/history-path";
import { Empty } from "../ui/empty";
import { ListSearch } from "../ui/list-search";

interface HistorySearchProps {
  workspace: string;
  /** Empty: all are listed. */
  q: string;
}

/** Finds series by what they are of. */
export const HistorySearch = ({ workspace, q }: HistorySearchProps) => (
  <search aria-label="Histories" className="no-print block">
    <ListSearch
      action={historiesPath(workspace)}
      q={q}
      placeholder="Search histories"
      label="Search histories by entry, server, scenario or host"
    />
  </search>
);

/** No series on a page that there is only with a search, or behind another page. */
export const NoHistoryHere = ({ workspace, q }: HistorySearchProps) => (
  <Empty
    title={q ? "No history matches" : "No history is left here"}
    action={
      <Link className="btn" href={historiesPath(workspace)}>
        Show all histories
      </Link>
    }
  >
    {q
      ? "Each word has to be in the name of the entry, its server, the scenario or the host. A history begins with the second run."
      : "New runs may have moved the histories of this page to the front."}
  </Empty>
);
