-- CreateTable
CREATE TABLE "invitation" (
    "workspace_id" UUID NOT NULL,
    "invitation_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "email" TEXT,
    "mailed" BOOLEAN NOT NULL DEFAULT false,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "used_by" TEXT,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("workspace_id","invitation_id"),
    CONSTRAINT "invitation_role" CHECK ("role" IN ('admin', 'member', 'viewer'))
);

-- CreateTable
CREATE TABLE "invitation_lookup" (
    "token_hash" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "invitation_id" UUID NOT NULL,

    CONSTRAINT "invitation_lookup_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "invitation_lookup_workspace_id_invitation_id_key" ON "invitation_lookup"("workspace_id", "invitation_id");

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation_lookup" ADD CONSTRAINT "invitation_lookup_workspace_id_invitation_id_fkey" FOREIGN KEY ("workspace_id", "invitation_id") REFERENCES "invitation"("workspace_id", "invitation_id") ON DELETE CASCADE ON UPDATE CASCADE;
