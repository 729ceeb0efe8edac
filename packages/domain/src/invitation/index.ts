export { acceptInvitation } from "./accept";
export { createInvitation, type InvitationMail, type MailInvitation } from "./create";
export { getInvitation } from "./get";
export { joinInvited } from "./join-invited";
export { listInvitations } from "./list";
export { revokeInvitation } from "./revoke";
