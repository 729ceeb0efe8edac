-- AlterTable
ALTER TABLE "slice" ADD COLUMN     "left_out" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "trial" ADD COLUMN     "rounds" JSONB;
