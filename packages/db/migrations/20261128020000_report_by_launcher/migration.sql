-- AlterTable
ALTER TABLE "report" ADD COLUMN     "by_launcher" BOOLEAN NOT NULL DEFAULT false;

-- Nobody could have made the first of a workspace that the launcher made: it is the launcher's.
UPDATE "report" SET "by_launcher" = true
WHERE ("workspace_id", "report_id") IN (
  SELECT DISTINCT ON (r."workspace_id") r."workspace_id", r."report_id"
  FROM "report" r JOIN "workspace" w USING ("workspace_id")
  WHERE w."home" AND r."created_by" IS NULL
  ORDER BY r."workspace_id", r."created_at"
)
