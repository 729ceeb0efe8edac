import { nextDue, type Times } from "@rigmark/results/schedule";
import { DomainError } from "../../error";

export function dueAfter(times: Times, now: Date): Date {
  const due = nextDue(times, now);
  if (!due) throw new DomainError("invalid", "The schedule is never due; choose at least one day.");
  return due;
}
