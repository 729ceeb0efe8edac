-- AlterTable
ALTER TABLE "run" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "schedule_id" UUID;

-- CreateTable
CREATE TABLE "schedule" (
    "workspace_id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "minute" INTEGER NOT NULL,
    "days" INTEGER[],
    "wait_h" INTEGER NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_due_at" TIMESTAMPTZ(3),
    "last_due_at" TIMESTAMPTZ(3),
    "last_run_id" UUID,
    "last_skip" TEXT,

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("workspace_id","schedule_id")
);

-- CreateIndex
CREATE INDEX "schedule_next_due_at_idx" ON "schedule"("next_due_at");

-- CreateIndex
CREATE INDEX "run_schedule" ON "run"("workspace_id", "schedule_id") WHERE (schedule_id IS NOT NULL);

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;
