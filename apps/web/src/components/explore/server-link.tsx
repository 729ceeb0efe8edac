import { matrixPath } from "@/lib/explore-path";
import { plainLine } from "@/lib/text";

/** The label of a server. Leads to that server under every scenario. */
export const ServerLink = ({ label }: { label: string }) => (
  <a className="link" href={matrixPath({ entry: [label] })}>
    <bdi>{plainLine(label)}</bdi>
  </a>
);
