import { DomainError } from "../../error";

export const unknownBaseline = (name: string): DomainError =>
  new DomainError("not_found", `None of these runs has an entry “${name}”; choose another baseline.`);
