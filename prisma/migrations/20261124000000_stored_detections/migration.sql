-- CreateTable
CREATE TABLE "StoredDetection" (
    "id" BIGSERIAL NOT NULL,
    "detectionId" VARCHAR(256) NOT NULL,
    "subscriptionIdentifier" VARCHAR(520) NOT NULL,
    "cameraIdentifier" VARCHAR(256) NOT NULL,
    "workerUrl" TEXT NOT NULL,
    "nodeId" TEXT NOT NULL,
    "detectedAt" TIMESTAMPTZ(3) NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "redelivered" BOOLEAN NOT NULL,
    "label" VARCHAR(128),
    "labelKey" VARCHAR(128) NOT NULL,
    "confidence" DOUBLE PRECISION,
    "boxes" JSONB NOT NULL,
    "pictureId" VARCHAR(256),
    "summary" VARCHAR(500) NOT NULL,

    CONSTRAINT "StoredDetection_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "StoredDetection_detectionId_key" ON "StoredDetection"("detectionId");

-- CreateIndex
CREATE INDEX "StoredDetection_cameraIdentifier_id_idx" ON "StoredDetection"("cameraIdentifier", "id");

-- CreateIndex
CREATE INDEX "StoredDetection_labelKey_id_idx" ON "StoredDetection"("labelKey", "id");

-- CreateIndex
CREATE INDEX "StoredDetection_detectedAt_idx" ON "StoredDetection"("detectedAt");

-- CreateIndex
CREATE INDEX "StoredDetection_receivedAt_idx" ON "StoredDetection"("receivedAt");
