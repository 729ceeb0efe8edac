import type { HostSummary } from "@rigmark/results";
import { plainLine } from "@/lib/text";
import { hostInBrief } from "../host/host-list";
import { HostStatusLine } from "../host/host-status";

interface HostChoiceProps {
  hosts: HostSummary[];
  value: string;
  onChange: (hostId: string) => void;
}

export function HostChoice({ hosts, value, onChange }: HostChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 block">
        <h2>Host</h2>
      </legend>
      <div className="panel max-h-48 divide-y divide-line overflow-y-auto lg:h-44">
        {hosts.map((host) => (
          <label
            key={host.host_id}
            className="flex cursor-pointer gap-3 px-4 py-2.5 has-checked:bg-accent-wash hover:bg-sunk has-checked:hover:bg-accent-wash"
          >
            <input
              type="radio"
              name="host"
              className="mt-0.5"
              checked={host.host_id === value}
              onChange={() => onChange(host.host_id)}
            />
            <span className="min-w-0">
              <span className="flex flex-wrap gap-x-4">
                <bdi className="font-medium [overflow-wrap:anywhere]">{plainLine(host.name)}</bdi>
                <HostStatusLine host={host} />
              </span>
              <span className="block text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">
                {hostInBrief(host)}
              </span>
              {host.status === "offline" && host.host_id === value && (
                <span className="block text-[0.929rem] text-warn">
                  The run waits in the queue until this host is back.
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
