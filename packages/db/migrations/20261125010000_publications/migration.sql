-- AlterTable
ALTER TABLE "host" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'agent';

-- AlterTable
ALTER TABLE "run" ADD COLUMN     "published_by" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "host_one_published_per_machine" ON "host"("workspace_id", "hostname") WHERE (kind = 'published');
