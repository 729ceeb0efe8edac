import Link from "next/link";
import { plainText } from "@/lib/text";
import { Command } from "../ui/command";

interface FrontPageProps {
  /** Who may make an account: `open`, `closed`, or a domain. */
  signUp: string;
  /** Nobody owns this installation yet. */
  unclaimed: boolean;
  /** What this installation measured first, where it did. */
  report: { url: string; headline: string | null } | null;
}

/** For whoever is not signed in: what Rigmark is, what it looks like, and how to start. */
export function FrontPage({ signUp, unclaimed, report }: FrontPageProps) {
  return (
    <div className="grid gap-x-10 gap-y-8 py-4 lg:grid-cols-[minmax(0,25rem)_minmax(0,1fr)] lg:py-8">
      <div>
        <h1 className="text-[1.75rem] leading-tight">Server benchmarks that other people can believe</h1>
        <ul className="mt-5 list-disc space-y-2 pl-5 text-ink-2">
          <li>
            An agent on your own machine builds the servers, proves that they answer correctly, and loads
            them.
          </li>
          <li>Servers take turns, so that what disturbs the machine disturbs all of them.</li>
          <li>
            A frozen report says which is faster and how sure that is, and has every trial and the command
            that repeats it.
          </li>
        </ul>
        <p className="mt-6 flex flex-wrap gap-2">
          <Link className="btn" data-kind="primary" href="/sign-in">
            Sign in
          </Link>
          {signUp !== "closed" && (
            <Link className="btn" href="/sign-up">
              Create account
            </Link>
          )}
          <a className="btn" href="/docs">
            Read the docs
          </a>
        </p>
        {unclaimed && (
          <p className="note mt-5">
            This installation has no owner yet. To become it, open the link that <code>./rig up</code>{" "}
            printed.
          </p>
        )}
      </div>
      <figure className="min-w-0 lg:row-span-2">
        <ReportImage />
        <figcaption className="mt-2 text-[0.929rem] text-ink-2">
          The top of a report: the verdict, every trial as a point on its bar, and the table with the
          intervals.
        </figcaption>
        {report && (
          <p className="mt-4 border-accent border-l-2 pl-4">
            <a className="link font-medium" href={report.url}>
              Read the first report of this installation
            </a>
            {report.headline && <span className="mt-1 block text-ink-2">{plainText(report.headline)}</span>}
          </p>
        )}
      </figure>
      <section aria-labelledby="start" className="min-w-0 space-y-3">
        <h2 id="start">Start on your own machine</h2>
        <p className="text-ink-2">
          Everything, from a fresh clone: app, agent and a first report in minutes.
        </p>
        <Command label="Install and start" text="./rig up" />
        <p className="text-ink-2">Your server beside nginx, without account or network:</p>
        <Command
          label="Compare two servers"
          text="rigmark run --server nginx --server ./mine --scenario static-1k-ab --out r.jsonl"
        />
      </section>
    </div>
  );
}

const WIDTH = 1680;
const HEIGHT = 1296;

/** One picture a theme; the one that is not shown is not loaded. `e2e/src/front-picture.ts` takes them. */
function ReportImage() {
  return (["light", "dark"] as const).map((theme) => (
    <img
      key={theme}
      src={`/pictures/report-${theme}.png`}
      width={WIDTH}
      height={HEIGHT}
      loading="lazy"
      alt={ALT}
      className={`h-auto w-full rounded-lg border border-line ${theme === "dark" ? "theme-dark-only" : "theme-light-only"}`}
    />
  ));
}
const ALT =
  "The top of a report: the verdict sentence, a bar with every trial as a point for each server, and the table.";
