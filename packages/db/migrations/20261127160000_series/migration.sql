-- AlterTable
ALTER TABLE "run" ADD COLUMN     "scenario_titles" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "entry_result" ADD COLUMN     "brief" JSONB,
ADD COLUMN     "host_id" UUID,
ADD COLUMN     "label" TEXT,
ADD COLUMN     "run_created_at" TIMESTAMPTZ(3);

-- Results that are there already.
UPDATE "entry_result" x SET "host_id" = a."host_id", "label" = e."label", "run_created_at" = r."created_at",
  "brief" = jsonb_build_object('lower_bound', coalesce(x."summary"->'lower_bound', 'false'), 'latency_bound', x."summary"->'latency_bound',
    'range', CASE WHEN x."metric" <> 'p99_us' THEN x."summary"->x."metric" END, 'ratio', x."summary"->'ratio')
FROM "attempt" a
JOIN "run" r ON r."workspace_id" = a."workspace_id" AND r."run_id" = a."run_id"
JOIN "entry" e ON e."workspace_id" = a."workspace_id" AND e."attempt_id" = a."attempt_id"
WHERE x."workspace_id" = a."workspace_id" AND x."attempt_id" = a."attempt_id" AND x."entry_key" = e."entry_key";

-- Runs that are there already.
UPDATE "run" r SET "scenario_titles" = t."titles"
FROM (
  SELECT a."workspace_id", a."run_id", a."attempt_no", array_agg(coalesce(s."definition"->>'title', '') ORDER BY s."position") AS "titles"
  FROM "attempt" a
  JOIN "run_scenario" s ON s."workspace_id" = a."workspace_id" AND s."attempt_id" = a."attempt_id"
  GROUP BY a."workspace_id", a."run_id", a."attempt_no"
) t
WHERE r."workspace_id" = t."workspace_id" AND r."run_id" = t."run_id" AND r."attempt_no" = t."attempt_no";

-- CreateIndex
CREATE INDEX "entry_result_series" ON "entry_result"("workspace_id", "host_id", "scenario_id", "label", "run_created_at" DESC);

-- CreateIndex
CREATE INDEX "attempt_workspace_id_host_id_created_at_idx" ON "attempt"("workspace_id", "host_id", "created_at" DESC);
