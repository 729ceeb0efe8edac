-- AlterTable
ALTER TABLE "trial" ADD COLUMN     "single_shot" JSONB;
