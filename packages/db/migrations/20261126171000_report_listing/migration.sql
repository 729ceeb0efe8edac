-- CreateTable
CREATE TABLE "report_listing" (
    "workspace_id" UUID NOT NULL,
    "report_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "sentence" TEXT NOT NULL,
    "sentence_zh" TEXT NOT NULL,
    "runs" INTEGER NOT NULL,
    "machines" TEXT[],
    "suites" TEXT[],
    "scenarios" TEXT[],
    "archs" TEXT[],
    "cpus" TEXT[],
    "servers" TEXT[],
    "words" TEXT NOT NULL,

    CONSTRAINT "report_listing_pkey" PRIMARY KEY ("workspace_id","report_id")
);

-- CreateIndex
CREATE INDEX "report_public" ON "report"("created_at" DESC, "report_id" DESC) WHERE (visibility = 'public'::text);

-- AddForeignKey
ALTER TABLE "report_listing" ADD CONSTRAINT "report_listing_workspace_id_report_id_fkey" FOREIGN KEY ("workspace_id", "report_id") REFERENCES "report"("workspace_id", "report_id") ON DELETE CASCADE ON UPDATE CASCADE;
