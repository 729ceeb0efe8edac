-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "workspace_deleted" ON "workspace"("deleted_at") WHERE (deleted_at IS NOT NULL);
