-- Reports that are there already.
UPDATE "report" SET "run_ids" = ARRAY(
  SELECT (run->>'run_id')::uuid FROM jsonb_array_elements("snapshot"::jsonb->'runs') AS run
);
