-- AlterTable
ALTER TABLE "run" ADD COLUMN     "repeats" TEXT;
