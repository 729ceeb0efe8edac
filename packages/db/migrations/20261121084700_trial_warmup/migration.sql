-- AlterTable
ALTER TABLE "trial" ADD COLUMN     "warmup_steady" BOOLEAN,
ADD COLUMN     "warmup_us" BIGINT;
