import architecture from "../../../../docs/architecture.md";
import glossary from "../../../../docs/glossary.md";
import install from "../../../../docs/install.md";
import method from "../../../../docs/method.md";
import metrics from "../../../../docs/metrics.md";
import protocol from "../../../../docs/protocol.md";
import security from "../../../../docs/security.md";
import serversCost from "../../../../docs/servers-cost.md";
import spool from "../../../../docs/spool.md";
import suites from "../../../../docs/suites.md";
import contract from "../../../../servers/CONTRACT.md";

export interface DocSource {
  /** Its address is `/docs/<name>`. */
  name: string;
  /** Where the file is in the repository; relative links start from its folder. */
  file: string;
  /** In lists of pages, where the file's own heading would be long. */
  title: string;
  /** One sentence for the index page. */
  summary: string;
  text: string;
}

/** Every page, in the order in which it is listed. A test names a file of docs/ that is missing here. */
export const GROUPS: readonly { title: string; pages: readonly DocSource[] }[] = [
  {
    title: "Start here",
    pages: [
      {
        name: "install",
        file: "docs/install.md",
        title: "Install",
        summary: "Start the app, and add the hosts that measure.",
        text: install,
      },
      {
        name: "your-own-server",
        file: "servers/CONTRACT.md",
        title: "Your own server",
        summary: "Add a server in one minute, and what it must respond.",
        text: contract,
      },
      {
        name: "suites",
        file: "docs/suites.md",
        title: "Suites",
        summary: "Repeat a published comparison with one command.",
        text: suites,
      },
    ],
  },
  {
    title: "Read a report",
    pages: [
      {
        name: "method",
        file: "docs/method.md",
        title: "Method",
        summary: "How Rigmark measures, what a verdict means, and when there is none.",
        text: method,
      },
      {
        name: "metrics",
        file: "docs/metrics.md",
        title: "Metrics",
        summary: "Every number: its unit, its source and its limits.",
        text: metrics,
      },
      {
        name: "glossary",
        file: "docs/glossary.md",
        title: "Glossary",
        summary: "Every term, in one sentence each.",
        text: glossary,
      },
    ],
  },
  {
    title: "Reference",
    pages: [
      {
        name: "security",
        file: "docs/security.md",
        title: "Security",
        summary: "What host owners and workspaces can rely on.",
        text: security,
      },
      {
        name: "protocol",
        file: "docs/protocol.md",
        title: "Protocol",
        summary: "What the agent and the app send each other.",
        text: protocol,
      },
      {
        name: "spool",
        file: "docs/spool.md",
        title: "Spool",
        summary: "How the agent keeps records until the app has them.",
        text: spool,
      },
      {
        name: "architecture",
        file: "docs/architecture.md",
        title: "Architecture",
        summary: "How the code is divided, and where the next tool, server or metric goes.",
        text: architecture,
      },
      {
        name: "servers-cost",
        file: "docs/servers-cost.md",
        title: "Cost of a request",
        summary: "What a request costs the bundled servers, and what was tried to lower it.",
        text: serversCost,
      },
    ],
  },
];

export const SOURCES: readonly DocSource[] = GROUPS.flatMap((group) => group.pages);
