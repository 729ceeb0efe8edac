-- AlterTable
ALTER TABLE "run" ADD COLUMN     "source" JSONB,
ADD COLUMN     "source_branch" TEXT,
ADD COLUMN     "source_commit" TEXT,
ADD COLUMN     "source_pull_request" INTEGER,
ADD COLUMN     "source_repository" TEXT;

-- CreateTable
CREATE TABLE "token" (
    "token_id" UUID NOT NULL,
    "user_id" TEXT,
    "workspace_id" UUID,
    "name" TEXT NOT NULL,
    "scopes" TEXT[],
    "prefix" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "token_pkey" PRIMARY KEY ("token_id"),
    CONSTRAINT "token_has_owner" CHECK ("user_id" IS NOT NULL OR "workspace_id" IS NOT NULL)
);

-- CreateTable
CREATE TABLE "token_lookup" (
    "token_hash" BYTEA NOT NULL,
    "token_id" UUID NOT NULL,

    CONSTRAINT "token_lookup_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "idempotent_request" (
    "token_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotent_request_pkey" PRIMARY KEY ("token_id","key")
);

-- CreateTable
CREATE TABLE "device_login" (
    "device_hash" BYTEA NOT NULL,
    "user_code" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "address" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "user_id" TEXT,
    "workspace_id" UUID,
    "scopes" TEXT[],
    "token_days" INTEGER,

    CONSTRAINT "device_login_pkey" PRIMARY KEY ("device_hash")
);

-- CreateIndex
CREATE INDEX "run_source_repository" ON "run"("workspace_id", "source_repository", "created_at" DESC) WHERE (source IS NOT NULL);

-- CreateIndex
CREATE INDEX "run_source_commit" ON "run"("workspace_id", "source_commit") WHERE (source IS NOT NULL);

-- CreateIndex
CREATE INDEX "token_workspace_id_created_at_idx" ON "token"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "token_user_id_created_at_idx" ON "token"("user_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "token_lookup_token_id_key" ON "token_lookup"("token_id");

-- CreateIndex
CREATE INDEX "idempotent_request_created_at_idx" ON "idempotent_request"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "device_login_user_code_key" ON "device_login"("user_code");

-- CreateIndex
CREATE INDEX "device_login_expires_at_idx" ON "device_login"("expires_at");

-- AddForeignKey
ALTER TABLE "token" ADD CONSTRAINT "token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "token" ADD CONSTRAINT "token_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "token_lookup" ADD CONSTRAINT "token_lookup_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "token"("token_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotent_request" ADD CONSTRAINT "idempotent_request_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "token"("token_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_login" ADD CONSTRAINT "device_login_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_login" ADD CONSTRAINT "device_login_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
