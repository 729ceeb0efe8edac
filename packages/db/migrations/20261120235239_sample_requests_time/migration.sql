-- AlterTable
ALTER TABLE "sample_chunk" ADD COLUMN     "requests_t_us" BIGINT[];
