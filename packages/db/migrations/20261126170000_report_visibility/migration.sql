-- AlterTable
ALTER TABLE "report" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "visibility" TEXT NOT NULL DEFAULT 'link',
ADD CONSTRAINT "report_visibility" CHECK ("visibility" IN ('private', 'link', 'public'));
