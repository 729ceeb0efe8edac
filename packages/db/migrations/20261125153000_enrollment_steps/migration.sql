-- AlterTable
ALTER TABLE "enrollment_key" ADD COLUMN     "step_reports" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "enrollment_step" (
    "workspace_id" UUID NOT NULL,
    "enrollment_id" UUID NOT NULL,
    "step" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "enrollment_step_pkey" PRIMARY KEY ("workspace_id","enrollment_id","step")
);

-- AddForeignKey
ALTER TABLE "enrollment_step" ADD CONSTRAINT "enrollment_step_workspace_id_enrollment_id_fkey" FOREIGN KEY ("workspace_id", "enrollment_id") REFERENCES "enrollment_key"("workspace_id", "enrollment_id") ON DELETE CASCADE ON UPDATE CASCADE;
