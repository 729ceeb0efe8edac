-- AlterTable
ALTER TABLE "report" ADD COLUMN     "run_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "run" ADD COLUMN     "restored_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "retention_days" INTEGER;

-- CreateIndex
CREATE INDEX "report_run_ids_idx" ON "report" USING GIN ("run_ids");

-- CreateIndex
CREATE INDEX "run_ended" ON "run"("workspace_id", "finished_at") WHERE (deleted_at IS NULL);
