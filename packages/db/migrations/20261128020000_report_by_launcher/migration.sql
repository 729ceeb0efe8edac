-- AlterTable
ALTER TABLE "report" ADD COLUMN     "by_launcher" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "attempt_without_results" ON "attempt"("finished_at") WHERE (results_at IS NULL AND finished_at IS NOT NULL);

-- Before anybody had joined its workspace, nobody but the launcher could make a report there.
UPDATE "report" r SET "by_launcher" = true
FROM "workspace" w
WHERE w."workspace_id" = r."workspace_id" AND w."home" AND r."created_by" IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM "member" m WHERE m."workspace_id" = r."workspace_id" AND m."created_at" <= r."created_at"
  );

-- The log says how long runs are kept, and no more when they are deleted.
UPDATE "audit_event" SET "subject" = 'forever' WHERE "what" = 'retention-changed' AND "subject" = 'never';
