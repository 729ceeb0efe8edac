-- AlterTable
ALTER TABLE "entry" ADD COLUMN     "revision" JSONB;
