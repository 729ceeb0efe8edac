-- AlterTable
ALTER TABLE "attempt" ADD COLUMN     "plan_blocks" JSONB;

-- A run with a precision may end before its last block: what it did not need is neither missing nor failed.
ALTER TABLE "trial" DROP CONSTRAINT "trial_state";
ALTER TABLE "trial" ADD CONSTRAINT "trial_state" CHECK ("state" IN ('planned', 'running', 'valid', 'invalid', 'failed', 'cancelled', 'not-needed'));
