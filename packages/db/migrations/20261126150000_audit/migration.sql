-- CreateTable
CREATE TABLE "audit_event" (
    "workspace_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT NOT NULL,
    "token_name" TEXT,
    "what" TEXT NOT NULL,
    "subject" TEXT NOT NULL,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("workspace_id","event_id")
);

-- CreateIndex
CREATE INDEX "audit_event_workspace_id_at_event_id_idx" ON "audit_event"("workspace_id", "at" DESC, "event_id" DESC);

-- AddForeignKey
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
