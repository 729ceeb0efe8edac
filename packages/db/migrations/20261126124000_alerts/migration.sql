-- CreateTable
CREATE TABLE "alert_check" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_check_pkey" PRIMARY KEY ("workspace_id","run_id")
);

-- CreateTable
CREATE TABLE "alert_mail" (
    "workspace_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_mail_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "webhook" (
    "workspace_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("workspace_id","webhook_id")
);

-- CreateTable
CREATE TABLE "alert" (
    "workspace_id" UUID NOT NULL,
    "alert_id" UUID NOT NULL,
    "run_id" UUID,
    "changes" TEXT[],
    "message" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_pkey" PRIMARY KEY ("workspace_id","alert_id")
);

-- CreateTable
CREATE TABLE "alert_delivery" (
    "workspace_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "alert_id" UUID NOT NULL,
    "webhook_id" UUID,
    "user_id" TEXT,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3),
    "tried_at" TIMESTAMPTZ(3),
    "status" INTEGER,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_delivery_pkey" PRIMARY KEY ("workspace_id","delivery_id")
);

-- CreateIndex
CREATE INDEX "alert_check_created_at_idx" ON "alert_check"("created_at");

-- CreateIndex
CREATE INDEX "alert_created_at_idx" ON "alert"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "alert_workspace_id_run_id_key" ON "alert"("workspace_id", "run_id");

-- CreateIndex
CREATE INDEX "alert_delivery_next_try_at_idx" ON "alert_delivery"("next_try_at");

-- CreateIndex
CREATE INDEX "alert_delivery_workspace_id_created_at_idx" ON "alert_delivery"("workspace_id", "created_at" DESC);

-- AddForeignKey
ALTER TABLE "alert_check" ADD CONSTRAINT "alert_check_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "run"("workspace_id", "run_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_mail" ADD CONSTRAINT "alert_mail_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "member"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_delivery" ADD CONSTRAINT "alert_delivery_workspace_id_alert_id_fkey" FOREIGN KEY ("workspace_id", "alert_id") REFERENCES "alert"("workspace_id", "alert_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_delivery" ADD CONSTRAINT "alert_delivery_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "webhook"("workspace_id", "webhook_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_delivery" ADD CONSTRAINT "alert_delivery_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "member"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
