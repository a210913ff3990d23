-- AlterTable
ALTER TABLE "StoredDetection" ADD COLUMN "pictureBytes" INTEGER;

-- CreateIndex
CREATE INDEX "StoredDetection_pictureBytes_idx" ON "StoredDetection"("pictureBytes");
