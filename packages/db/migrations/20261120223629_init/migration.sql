-- CreateTable
CREATE TABLE "user" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "last_request" BIGINT NOT NULL,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "host" (
    "workspace_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "agent_version" TEXT NOT NULL,
    "boot_id" TEXT,
    "enrolled_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "facts" JSONB,
    "facts_at" TIMESTAMPTZ(3),
    "catalogue_at" TIMESTAMPTZ(3),
    "catalogue_digest" TEXT,

    CONSTRAINT "host_pkey" PRIMARY KEY ("workspace_id","host_id")
);

-- CreateTable
CREATE TABLE "host_lookup" (
    "host_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,

    CONSTRAINT "host_lookup_pkey" PRIMARY KEY ("host_id")
);

-- CreateTable
CREATE TABLE "host_nonce" (
    "nonce_hash" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "protocol" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "host_nonce_pkey" PRIMARY KEY ("nonce_hash")
);

-- CreateTable
CREATE TABLE "host_session" (
    "token_hash" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "host_session_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "enrollment_key" (
    "workspace_id" UUID NOT NULL,
    "enrollment_id" UUID NOT NULL,
    "name" TEXT,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "host_id" UUID,

    CONSTRAINT "enrollment_key_pkey" PRIMARY KEY ("workspace_id","enrollment_id")
);

-- CreateTable
CREATE TABLE "enrollment_lookup" (
    "key_hash" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "enrollment_id" UUID NOT NULL,

    CONSTRAINT "enrollment_lookup_pkey" PRIMARY KEY ("key_hash")
);

-- CreateTable
CREATE TABLE "server" (
    "workspace_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "supported" BOOLEAN NOT NULL,
    "reason" TEXT,
    "definition" JSONB NOT NULL,

    CONSTRAINT "server_pkey" PRIMARY KEY ("workspace_id","host_id","name")
);

-- CreateTable
CREATE TABLE "workload" (
    "workspace_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "workload_pkey" PRIMARY KEY ("workspace_id","host_id","name")
);

-- CreateTable
CREATE TABLE "scenario" (
    "workspace_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "scenario_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "workload" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "supported" BOOLEAN NOT NULL,
    "reason" TEXT,
    "definition" JSONB NOT NULL,

    CONSTRAINT "scenario_pkey" PRIMARY KEY ("workspace_id","host_id","scenario_id")
);

-- CreateTable
CREATE TABLE "suite" (
    "workspace_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "suite_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "definition" JSONB NOT NULL,

    CONSTRAINT "suite_pkey" PRIMARY KEY ("workspace_id","host_id","suite_id")
);

-- CreateTable
CREATE TABLE "tool" (
    "workspace_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "version" TEXT,
    "supported" BOOLEAN NOT NULL,
    "reason" TEXT,
    "definition" JSONB NOT NULL,

    CONSTRAINT "tool_pkey" PRIMARY KEY ("workspace_id","host_id","name")
);

-- CreateTable
CREATE TABLE "stream" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "next_seq" INTEGER NOT NULL DEFAULT 0,
    "next_record_seq" BIGINT NOT NULL DEFAULT 0,
    "records" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "digest" TEXT NOT NULL,

    CONSTRAINT "stream_pkey" PRIMARY KEY ("workspace_id","attempt_id","name")
);

-- CreateTable
CREATE TABLE "chunk" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "stream" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "records" INTEGER NOT NULL,
    "first_record_seq" BIGINT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "body" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "chunk_pkey" PRIMARY KEY ("workspace_id","attempt_id","stream","seq")
);

-- CreateTable
CREATE TABLE "report" (
    "workspace_id" UUID NOT NULL,
    "report_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "host_name" TEXT NOT NULL,
    "headline" TEXT,
    "snapshot" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "report_pkey" PRIMARY KEY ("workspace_id","report_id")
);

-- CreateTable
CREATE TABLE "report_slug" (
    "slug" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "report_id" UUID NOT NULL,

    CONSTRAINT "report_slug_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "entry" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "entry_key" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "label" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "baseline" BOOLEAN NOT NULL,

    CONSTRAINT "entry_pkey" PRIMARY KEY ("workspace_id","attempt_id","entry_key")
);

-- CreateTable
CREATE TABLE "run_scenario" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "scenario_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "definition" JSONB NOT NULL,

    CONSTRAINT "run_scenario_pkey" PRIMARY KEY ("workspace_id","attempt_id","scenario_id")
);

-- CreateTable
CREATE TABLE "block" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "scenario_id" TEXT NOT NULL,
    "block" INTEGER NOT NULL,
    "trials" INTEGER NOT NULL,

    CONSTRAINT "block_pkey" PRIMARY KEY ("workspace_id","attempt_id","scenario_id","block")
);

-- CreateTable
CREATE TABLE "trial" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "trial_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "entry_key" TEXT NOT NULL,
    "scenario_id" TEXT NOT NULL,
    "block" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "slices_planned" INTEGER NOT NULL,
    "warmup_s" DOUBLE PRECISION NOT NULL,
    "duration_s" DOUBLE PRECISION NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'planned',
    "begin_us" BIGINT,
    "measure_us" BIGINT,
    "last_us" BIGINT,
    "reasons" JSONB NOT NULL DEFAULT '[]',
    "labels" JSONB NOT NULL DEFAULT '[]',
    "result" JSONB,
    "resources" JSONB,
    "limit" TEXT,

    CONSTRAINT "trial_pkey" PRIMARY KEY ("workspace_id","attempt_id","trial_id")
);

-- CreateTable
CREATE TABLE "slice" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "trial_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "begin_us" BIGINT NOT NULL,
    "end_us" BIGINT NOT NULL,

    CONSTRAINT "slice_pkey" PRIMARY KEY ("workspace_id","attempt_id","trial_id","index")
);

-- CreateTable
CREATE TABLE "sample_chunk" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "trial_id" UUID NOT NULL,
    "chunk_seq" INTEGER NOT NULL,
    "first_seq" BIGINT NOT NULL,
    "last_seq" BIGINT NOT NULL,
    "seq" BIGINT[],
    "t_us" BIGINT[],
    "measured" BOOLEAN[],
    "requests" BIGINT[],
    "loopback_bytes" BIGINT[],
    "server_cpu_us" BIGINT[],
    "server_rss_bytes" BIGINT[],
    "server_processes" BIGINT[],
    "server_threads" BIGINT[],
    "server_context_switches" BIGINT[],
    "tool_cpu_us" BIGINT[],
    "tool_rss_bytes" BIGINT[],
    "tool_processes" BIGINT[],
    "tool_threads" BIGINT[],
    "tool_context_switches" BIGINT[],
    "host_cpu_busy_us" BIGINT[],
    "host_cpu_total_us" BIGINT[],
    "host_cpu_steal_us" BIGINT[],
    "host_load1" DOUBLE PRECISION[],
    "host_memory_available_bytes" BIGINT[],
    "host_temperature_millic" BIGINT[],
    "host_frequency_khz" BIGINT[],

    CONSTRAINT "sample_chunk_pkey" PRIMARY KEY ("workspace_id","attempt_id","trial_id","chunk_seq")
);

-- CreateTable
CREATE TABLE "histogram" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "trial_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "resolution_us" DOUBLE PRECISION NOT NULL,
    "corrected" BOOLEAN NOT NULL,
    "count" BIGINT NOT NULL,
    "blob" BYTEA NOT NULL,

    CONSTRAINT "histogram_pkey" PRIMARY KEY ("workspace_id","attempt_id","trial_id","seq")
);

-- CreateTable
CREATE TABLE "phase" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "t_us" BIGINT NOT NULL,
    "phase" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "entry_key" TEXT,
    "trial_id" UUID,
    "message" TEXT,

    CONSTRAINT "phase_pkey" PRIMARY KEY ("workspace_id","attempt_id","seq")
);

-- CreateTable
CREATE TABLE "log" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "t_us" BIGINT NOT NULL,
    "source" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "entry_key" TEXT,
    "trial_id" UUID,
    "line" TEXT NOT NULL,

    CONSTRAINT "log_pkey" PRIMARY KEY ("workspace_id","attempt_id","seq")
);

-- CreateTable
CREATE TABLE "verify" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "t_us" BIGINT NOT NULL,
    "entry_key" TEXT NOT NULL,
    "trial_id" UUID,
    "when" TEXT NOT NULL,
    "workload" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "checks" JSONB NOT NULL,

    CONSTRAINT "verify_pkey" PRIMARY KEY ("workspace_id","attempt_id","seq")
);

-- CreateTable
CREATE TABLE "label" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "entry_key" TEXT,

    CONSTRAINT "label_pkey" PRIMARY KEY ("workspace_id","attempt_id","seq")
);

-- CreateTable
CREATE TABLE "run" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "requested_by" TEXT,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "unreachable" BOOLEAN NOT NULL DEFAULT false,
    "attempt_no" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "leased_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "deadline_at" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),
    "cancel_reason" TEXT,
    "error_code" TEXT,
    "error_message" TEXT,
    "planned_s" DOUBLE PRECISION,
    "missing" JSONB,
    "corrupt_records" INTEGER NOT NULL DEFAULT 0,
    "trials_total" INTEGER,
    "trials_done" INTEGER NOT NULL DEFAULT 0,
    "trials_valid" INTEGER NOT NULL DEFAULT 0,
    "trials_invalid" INTEGER NOT NULL DEFAULT 0,
    "headline" TEXT,
    "revision" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "run_pkey" PRIMARY KEY ("workspace_id","run_id")
);

-- CreateTable
CREATE TABLE "run_host" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "role" TEXT NOT NULL,

    CONSTRAINT "run_host_pkey" PRIMARY KEY ("workspace_id","run_id","host_id")
);

-- CreateTable
CREATE TABLE "baseline" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "label" TEXT NOT NULL,

    CONSTRAINT "baseline_pkey" PRIMARY KEY ("workspace_id","run_id")
);

-- CreateTable
CREATE TABLE "attempt" (
    "workspace_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "attempt_no" INTEGER NOT NULL,
    "host_id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "live" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "last_heartbeat_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "begin_us" BIGINT,
    "wall_us" BIGINT,
    "boot_id" TEXT,
    "agent_version" TEXT,
    "environment" JSONB,
    "prng" TEXT,
    "shuffle" TEXT,
    "planned_s" DOUBLE PRECISION,
    "result" JSONB,
    "finish" JSONB,

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("workspace_id","attempt_id")
);

-- CreateTable
CREATE TABLE "workspace" (
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "workspace_slug" (
    "slug" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,

    CONSTRAINT "workspace_slug_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "member" (
    "workspace_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "workspace_claim" (
    "token_hash" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspace_claim_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_key" ON "session"("token");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE INDEX "account_user_id_idx" ON "account"("user_id");

-- CreateIndex
CREATE INDEX "verification_identifier_idx" ON "verification"("identifier");

-- CreateIndex
CREATE UNIQUE INDEX "rate_limit_key_key" ON "rate_limit"("key");

-- CreateIndex
CREATE UNIQUE INDEX "host_lookup_workspace_id_host_id_key" ON "host_lookup"("workspace_id", "host_id");

-- CreateIndex
CREATE INDEX "host_nonce_expires_at_idx" ON "host_nonce"("expires_at");

-- CreateIndex
CREATE INDEX "host_session_expires_at_idx" ON "host_session"("expires_at");

-- CreateIndex
CREATE INDEX "host_session_workspace_id_host_id_idx" ON "host_session"("workspace_id", "host_id");

-- CreateIndex
CREATE UNIQUE INDEX "enrollment_lookup_workspace_id_enrollment_id_key" ON "enrollment_lookup"("workspace_id", "enrollment_id");

-- CreateIndex
CREATE INDEX "report_workspace_id_created_at_idx" ON "report"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "report_workspace_id_run_id_idx" ON "report"("workspace_id", "run_id");

-- CreateIndex
CREATE UNIQUE INDEX "report_slug_workspace_id_report_id_key" ON "report_slug"("workspace_id", "report_id");

-- CreateIndex
CREATE INDEX "trial_workspace_id_attempt_id_ordinal_idx" ON "trial"("workspace_id", "attempt_id", "ordinal");

-- CreateIndex
CREATE INDEX "sample_chunk_workspace_id_attempt_id_last_seq_idx" ON "sample_chunk"("workspace_id", "attempt_id", "last_seq");

-- CreateIndex
CREATE INDEX "run_workspace_id_created_at_run_id_idx" ON "run"("workspace_id", "created_at" DESC, "run_id" DESC);

-- CreateIndex
CREATE INDEX "run_live" ON "run"("state", "deadline_at") WHERE (finished_at IS NULL);

-- CreateIndex
CREATE INDEX "run_host_workspace_id_host_id_idx" ON "run_host"("workspace_id", "host_id");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_workspace_id_run_id_attempt_no_key" ON "attempt"("workspace_id", "run_id", "attempt_no");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_workspace_id_host_id_request_id_key" ON "attempt"("workspace_id", "host_id", "request_id");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_one_live_per_run" ON "attempt"("workspace_id", "run_id") WHERE (live);

-- CreateIndex
CREATE UNIQUE INDEX "attempt_one_live_per_host" ON "attempt"("workspace_id", "host_id") WHERE (live);

-- CreateIndex
CREATE UNIQUE INDEX "workspace_slug_workspace_id_key" ON "workspace_slug"("workspace_id");

-- CreateIndex
CREATE INDEX "member_user_id_idx" ON "member"("user_id");

-- CreateIndex
CREATE INDEX "workspace_claim_workspace_id_idx" ON "workspace_claim"("workspace_id");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host" ADD CONSTRAINT "host_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_lookup" ADD CONSTRAINT "host_lookup_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_nonce" ADD CONSTRAINT "host_nonce_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_session" ADD CONSTRAINT "host_session_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "enrollment_key" ADD CONSTRAINT "enrollment_key_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "enrollment_lookup" ADD CONSTRAINT "enrollment_lookup_workspace_id_enrollment_id_fkey" FOREIGN KEY ("workspace_id", "enrollment_id") REFERENCES "enrollment_key"("workspace_id", "enrollment_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "server" ADD CONSTRAINT "server_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workload" ADD CONSTRAINT "workload_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scenario" ADD CONSTRAINT "scenario_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suite" ADD CONSTRAINT "suite_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tool" ADD CONSTRAINT "tool_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stream" ADD CONSTRAINT "stream_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chunk" ADD CONSTRAINT "chunk_workspace_id_attempt_id_stream_fkey" FOREIGN KEY ("workspace_id", "attempt_id", "stream") REFERENCES "stream"("workspace_id", "attempt_id", "name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report" ADD CONSTRAINT "report_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_slug" ADD CONSTRAINT "report_slug_workspace_id_report_id_fkey" FOREIGN KEY ("workspace_id", "report_id") REFERENCES "report"("workspace_id", "report_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "entry" ADD CONSTRAINT "entry_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_scenario" ADD CONSTRAINT "run_scenario_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "block" ADD CONSTRAINT "block_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trial" ADD CONSTRAINT "trial_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "slice" ADD CONSTRAINT "slice_workspace_id_attempt_id_trial_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id", "trial_id") REFERENCES "trial"("workspace_id", "attempt_id", "trial_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sample_chunk" ADD CONSTRAINT "sample_chunk_workspace_id_attempt_id_trial_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id", "trial_id") REFERENCES "trial"("workspace_id", "attempt_id", "trial_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "histogram" ADD CONSTRAINT "histogram_workspace_id_attempt_id_trial_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id", "trial_id") REFERENCES "trial"("workspace_id", "attempt_id", "trial_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "phase" ADD CONSTRAINT "phase_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "log" ADD CONSTRAINT "log_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "verify" ADD CONSTRAINT "verify_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "label" ADD CONSTRAINT "label_workspace_id_attempt_id_fkey" FOREIGN KEY ("workspace_id", "attempt_id") REFERENCES "attempt"("workspace_id", "attempt_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_host" ADD CONSTRAINT "run_host_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "run"("workspace_id", "run_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_host" ADD CONSTRAINT "run_host_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "baseline" ADD CONSTRAINT "baseline_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "run"("workspace_id", "run_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "run"("workspace_id", "run_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_slug" ADD CONSTRAINT "workspace_slug_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_claim" ADD CONSTRAINT "workspace_claim_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Words that the schema language cannot state.
ALTER TABLE "member" ADD CONSTRAINT "member_role" CHECK ("role" IN ('owner', 'member'));
ALTER TABLE "run" ADD CONSTRAINT "run_state" CHECK ("state" IN ('queued', 'leased', 'preparing', 'measuring', 'uploading', 'cancelling', 'succeeded', 'failed', 'cancelled', 'timed_out', 'incomplete'));
ALTER TABLE "run" ADD CONSTRAINT "run_attempt_no" CHECK ("attempt_no" >= 0);
ALTER TABLE "run_host" ADD CONSTRAINT "run_host_role" CHECK ("role" IN ('server', 'generator', 'both'));
ALTER TABLE "stream" ADD CONSTRAINT "stream_name" CHECK ("name" IN ('journal', 'raw'));
ALTER TABLE "chunk" ADD CONSTRAINT "chunk_bytes" CHECK ("bytes" BETWEEN 0 AND 262144);
ALTER TABLE "trial" ADD CONSTRAINT "trial_state" CHECK ("state" IN ('planned', 'running', 'valid', 'invalid', 'failed', 'cancelled'));
