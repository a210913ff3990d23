-- CreateTable
CREATE TABLE "StoredSession" (
    "id" SERIAL NOT NULL,
    "sessionId" BIGINT NOT NULL,
    "data" JSON NOT NULL,
    "workerUrl" TEXT NOT NULL,
    "patches" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "StoredSession_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "StoredSession_sessionId_key" ON "StoredSession"("sessionId");

-- CreateIndex
CREATE INDEX "StoredSession_updatedAt_idx" ON "StoredSession"("updatedAt");
