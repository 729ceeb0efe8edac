-- CreateTable
CREATE TABLE "standing" (
    "workspace_id" UUID NOT NULL,
    "report_id" UUID NOT NULL,
    "standing_no" INTEGER NOT NULL,
    "run_no" INTEGER NOT NULL,
    "scenario_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "load" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "machine" TEXT NOT NULL,
    "arch" TEXT NOT NULL,
    "cpu" TEXT NOT NULL,
    "ratio" DOUBLE PRECISION,
    "low" DOUBLE PRECISION,
    "high" DOUBLE PRECISION,
    "verdict" TEXT,
    "left_out" TEXT,

    CONSTRAINT "standing_pkey" PRIMARY KEY ("workspace_id","report_id","standing_no")
);

-- CreateIndex
CREATE INDEX "standing_scenario_id_idx" ON "standing"("scenario_id");

-- AddForeignKey
ALTER TABLE "standing" ADD CONSTRAINT "standing_workspace_id_report_id_fkey" FOREIGN KEY ("workspace_id", "report_id") REFERENCES "report"("workspace_id", "report_id") ON DELETE CASCADE ON UPDATE CASCADE;
