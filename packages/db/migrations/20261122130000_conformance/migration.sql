-- CreateTable
CREATE TABLE "conformance" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "entry_key" TEXT NOT NULL,
    "workload" TEXT NOT NULL,
    "checks" JSONB NOT NULL,

    CONSTRAINT "conformance_pkey" PRIMARY KEY ("workspace_id","attempt_id","seq")
);

-- AddForeignKey
ALTER TABLE "conformance" ADD CONSTRAINT "conformance_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;
