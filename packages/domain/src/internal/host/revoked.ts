import { DomainError } from "../../error";

/** What the agent of a host that was removed is told. */
export const revoked = (): DomainError =>
  new DomainError("revoked", "This host was removed from its workspace; enroll it again to use it.");
