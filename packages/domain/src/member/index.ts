export { changeRole } from "./change-role";
export { listMembers } from "./list";
export { removeMember } from "./remove";
