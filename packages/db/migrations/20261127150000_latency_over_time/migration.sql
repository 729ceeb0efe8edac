-- AlterTable
ALTER TABLE "histogram" ADD COLUMN     "over_time" JSONB;
