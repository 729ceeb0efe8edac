-- Who may what is in packages/domain. Here are only the names.
ALTER TABLE "member" DROP CONSTRAINT "member_role";
ALTER TABLE "member" ADD CONSTRAINT "member_role" CHECK ("role" IN ('owner', 'admin', 'member', 'viewer'));
