import {
  acceptInvitation,
  createInvitation,
  getInvitation,
  listInvitations,
  revokeInvitation,
} from "@rigmark/domain";
import { Id } from "@rigmark/protocol";
import {
  Email,
  InvitationAccepted,
  InvitationCreated,
  InvitationList,
  InvitationToken,
  Invited,
  InvitedRole,
  Nothing,
} from "@rigmark/results";
import { z } from "zod";
import { InWorkspace } from "../input";
import { procedure, router } from "../trpc";

const OfLink = z.object({ token: InvitationToken });

export const invitation = router({
  list: procedure
    .input(InWorkspace)
    .output(InvitationList)
    .query(({ ctx: { ctx }, input }) => listInvitations({ ctx, input })),
  /** `email` null: whoever has the link may accept. */
  create: procedure
    .input(InWorkspace.extend({ role: InvitedRole, email: Email.nullable() }))
    .output(InvitationCreated)
    .mutation(({ ctx: { ctx, mailInvitation }, input }) =>
      createInvitation({ ctx, input: { ...input, mail: mailInvitation } }),
    ),
  revoke: procedure
    .input(InWorkspace.extend({ invitationId: Id }))
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => revokeInvitation({ ctx, input })),
  /** For whoever has the link, signed in or not. */
  get: procedure
    .input(OfLink)
    .output(Invited)
    .query(({ ctx: { ctx }, input }) => getInvitation({ ctx, input })),
  accept: procedure
    .input(OfLink)
    .output(InvitationAccepted)
    .mutation(({ ctx: { ctx }, input }) => acceptInvitation({ ctx, input })),
});
