-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "home" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "workspace_one_home" ON "workspace"("home") WHERE (home);

-- Only the launcher makes claims, so a workspace that has one is its own, whatever it is called.
UPDATE "workspace" SET "home" = true
WHERE "workspace_id" = (SELECT "workspace_id" FROM "workspace_claim" ORDER BY "created_at" LIMIT 1);
