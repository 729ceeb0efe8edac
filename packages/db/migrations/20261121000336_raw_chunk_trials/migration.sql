-- AlterTable
ALTER TABLE "chunk" ADD COLUMN     "trial_ids" UUID[];
