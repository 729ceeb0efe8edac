-- AlterTable
ALTER TABLE "run" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "note" TEXT,
ADD COLUMN     "scenarios" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "servers" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "run_deleted" ON "run"("deleted_at") WHERE (deleted_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "run_tags_idx" ON "run" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "run_servers_idx" ON "run" USING GIN ("servers");

-- CreateIndex
CREATE INDEX "run_scenarios_idx" ON "run" USING GIN ("scenarios");

-- What the runs that are here already measure.
UPDATE "run" SET
    "servers" = ARRAY(SELECT DISTINCT e->>'server' FROM jsonb_array_elements("spec"->'entries') e WHERE e->>'server' IS NOT NULL ORDER BY 1),
    "scenarios" = ARRAY(SELECT jsonb_array_elements_text("spec"->'scenarios'));
