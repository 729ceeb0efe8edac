-- AlterTable
ALTER TABLE "attempt" ADD COLUMN     "results_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "entry_result" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "scenario_id" TEXT NOT NULL,
    "entry_key" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "more_is_better" BOOLEAN NOT NULL,
    "figure" DOUBLE PRECISION,
    "summary" JSONB NOT NULL,

    CONSTRAINT "entry_result_pkey" PRIMARY KEY ("workspace_id","attempt_id","scenario_id","entry_key")
);

-- CreateIndex
CREATE INDEX "entry_result_workspace_id_server_attempt_id_idx" ON "entry_result"("workspace_id", "server", "attempt_id" DESC);

-- AddForeignKey
ALTER TABLE "entry_result" ADD CONSTRAINT "entry_result_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;
