import alerts from "../../../../docs/alerts.md";
import api from "../../../../docs/api.md";
import architecture from "../../../../docs/architecture.md";
import deploy from "../../../../docs/deploy.md";
import glossary from "../../../../docs/glossary.md";
import install from "../../../../docs/install.md";
import method from "../../../../docs/method.md";
import metrics from "../../../../docs/metrics.md";
import ownLoad from "../../../../docs/own-load.md";
import ownServer from "../../../../docs/own-server.md";
import protocol from "../../../../docs/protocol.md";
import pullRequest from "../../../../docs/pull-request.md";
import release from "../../../../docs/release.md";
import security from "../../../../docs/security.md";
import serversCost from "../../../../docs/servers-cost.md";
import spool from "../../../../docs/spool.md";
import suites from "../../../../docs/suites.md";
import terminal from "../../../../docs/terminal.md";
import contract from "../../../../servers/CONTRACT.md";

export interface DocSource {
  /** Its address is `/docs/<name>`; title and summary are in the catalogue, under `docs.pages.<name>`. */
  name: string;
  /** Where the file is in the repository; relative links start from its folder. */
  file: string;
  text: string;
}

/** Every page, in the order in which it is listed. A test names a file of docs/ that is missing here. */
export const GROUPS: readonly { id: string; pages: readonly DocSource[] }[] = [
  {
    id: "start",
    pages: [
      {
        name: "install",
        file: "docs/install.md",
        text: install,
      },
      {
        name: "deploy",
        file: "docs/deploy.md",
        text: deploy,
      },
      {
        name: "own-server",
        file: "docs/own-server.md",
        text: ownServer,
      },
      {
        name: "own-load",
        file: "docs/own-load.md",
        text: ownLoad,
      },
      {
        name: "pull-request",
        file: "docs/pull-request.md",
        text: pullRequest,
      },
      {
        name: "alerts",
        file: "docs/alerts.md",
        text: alerts,
      },
      {
        name: "terminal",
        file: "docs/terminal.md",
        text: terminal,
      },
      {
        name: "suites",
        file: "docs/suites.md",
        text: suites,
      },
    ],
  },
  {
    id: "read",
    pages: [
      {
        name: "method",
        file: "docs/method.md",
        text: method,
      },
      {
        name: "metrics",
        file: "docs/metrics.md",
        text: metrics,
      },
      {
        name: "glossary",
        file: "docs/glossary.md",
        text: glossary,
      },
    ],
  },
  {
    id: "reference",
    pages: [
      {
        name: "api",
        file: "docs/api.md",
        text: api,
      },
      {
        name: "release",
        file: "docs/release.md",
        text: release,
      },
      {
        name: "security",
        file: "docs/security.md",
        text: security,
      },
      {
        name: "protocol",
        file: "docs/protocol.md",
        text: protocol,
      },
      {
        name: "contract",
        file: "servers/CONTRACT.md",
        text: contract,
      },
      {
        name: "spool",
        file: "docs/spool.md",
        text: spool,
      },
      {
        name: "architecture",
        file: "docs/architecture.md",
        text: architecture,
      },
      {
        name: "servers-cost",
        file: "docs/servers-cost.md",
        text: serversCost,
      },
    ],
  },
];

export const SOURCES: readonly DocSource[] = GROUPS.flatMap((group) => group.pages);
