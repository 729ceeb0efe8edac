import { DomainError } from "../../error";

export const unknownSchedule = (): DomainError =>
  new DomainError("not_found", "There is no such schedule in this workspace.");
