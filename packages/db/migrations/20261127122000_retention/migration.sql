-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "retention_days" INTEGER;
