"use client";

import { Tabs } from "@base-ui/react/tabs";
import type { EnrollmentCreated } from "@rigmark/results";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Command } from "../ui/command";

const WAYS = ["install", "inspect", "enroll"] as const;
const NAMES = { install: "Install", inspect: "Inspect first", enroll: "Already installed" } as const;
const ABOUT = {
  install:
    "Run this on the host. It downloads the agent, checks it, installs it as a service, enrolls it and starts it. No compiler is needed.",
  inspect: "The same in steps: download, look at the script and its checksum, then run it.",
  enroll: "For a machine that already has the rigmark program.",
} as const;

interface EnrollCommandsProps {
  enrollment: EnrollmentCreated;
  /** False until `./rig release` has made what the install script downloads. */
  hasAgents: boolean;
  /** They are being built: the page says how far they are. */
  building: boolean;
  /** Whoever sees this has the button for it. */
  canOpen: boolean;
}

export function EnrollCommands({ enrollment, hasAgents, building, canOpen }: EnrollCommandsProps) {
  const [way, setWay] = useQueryState("way", parseAsStringLiteral(WAYS).withDefault("install"));
  const commands = {
    install: enrollment.commands.install,
    inspect: enrollment.commands.inspect,
    enroll: enrollment.commands.enroll_local,
  };
  return (
    <div>
      {enrollment.loopback_only && (
        <p className="note mb-4" data-tone="warn">
          This app listens only on its own machine, so the command works only there. To add a host on another
          machine,{" "}
          {canOpen ? (
            "use the button above first."
          ) : (
            <>
              start the app with <code>./rig up --network</code>; in containers, set <code>LISTEN</code> and{" "}
              <code>PUBLIC_URL</code>.
            </>
          )}
        </p>
      )}
      {enrollment.allow_http_needed && !enrollment.loopback_only && (
        <p className="note mb-4" data-tone="warn">
          You reach this app over plain HTTP, so the command has <code>--allow-http</code>: anyone on the
          network path can read the key. Put the app behind HTTPS before you use a network that you do not
          trust.
        </p>
      )}
      <Tabs.Root value={way} onValueChange={(value) => setWay(value as (typeof WAYS)[number])}>
        <Tabs.List className="segmented mb-3" aria-label="Ways to add the host">
          {WAYS.map((w) => (
            <Tabs.Tab key={w} value={w}>
              {NAMES[w]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {WAYS.map((w) => (
          <Tabs.Panel key={w} value={w}>
            <p className="mb-2 text-ink-2">{ABOUT[w]}</p>
            {building && w !== "enroll" && (
              <p className="note mb-2" data-tone="warn">
                Agents are being built. If the command stops at the download, run the same command again when
                the list above says <em>ready</em> for this kind of host.
              </p>
            )}
            {!hasAgents && !building && w !== "enroll" && (
              <p className="note mb-2" data-tone="warn">
                This app has no agents for hosts yet, so the command would stop at the download. On the app's
                machine, run <code>./rig release</code>, or for just one kind of host, such as a Raspberry Pi,{" "}
                <code>./rig release aarch64-unknown-linux-musl</code>. Then this command works unchanged.
              </p>
            )}
            <Command text={commands[w]} label={`Command: ${NAMES[w]}`} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </div>
  );
}
