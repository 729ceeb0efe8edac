import { changeRole, listMembers, removeMember } from "@rigmark/domain";
import { MemberList, Nothing, Role, UserId } from "@rigmark/results";
import { InWorkspace } from "../input";
import { procedure, router } from "../trpc";

const OfMember = InWorkspace.extend({ userId: UserId });

export const member = router({
  list: procedure
    .input(InWorkspace)
    .output(MemberList)
    .query(({ ctx: { ctx }, input }) => listMembers({ ctx, input })),
  changeRole: procedure
    .input(OfMember.extend({ role: Role }))
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => changeRole({ ctx, input })),
  /** Of oneself: leaves the workspace. */
  remove: procedure
    .input(OfMember)
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => removeMember({ ctx, input })),
});
