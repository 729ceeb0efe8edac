import { DomainError } from "../../error";
import { noSuch } from "../../internal/no-such";

export const unknownSchedule = (): DomainError => new DomainError("not_found", noSuch("schedule"));
