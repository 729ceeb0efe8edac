-- CreateTable
CREATE TABLE "badge" (
    "workspace_id" UUID NOT NULL,
    "badge_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "scenario_id" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "relative_to" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "badge_pkey" PRIMARY KEY ("workspace_id","badge_id")
);

-- CreateTable
CREATE TABLE "badge_slug" (
    "slug" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "badge_id" UUID NOT NULL,

    CONSTRAINT "badge_slug_pkey" PRIMARY KEY ("slug")
);

-- CreateIndex
CREATE UNIQUE INDEX "badge_series" ON "badge"("workspace_id", "host_id", "scenario_id", "label", "relative_to");

-- CreateIndex
CREATE UNIQUE INDEX "badge_slug_workspace_id_badge_id_key" ON "badge_slug"("workspace_id", "badge_id");

-- AddForeignKey
ALTER TABLE "badge" ADD CONSTRAINT "badge_workspace_id_host_id_fkey" FOREIGN KEY ("workspace_id", "host_id") REFERENCES "host"("workspace_id", "host_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "badge_slug" ADD CONSTRAINT "badge_slug_workspace_id_badge_id_fkey" FOREIGN KEY ("workspace_id", "badge_id") REFERENCES "badge"("workspace_id", "badge_id") ON DELETE CASCADE ON UPDATE CASCADE;
