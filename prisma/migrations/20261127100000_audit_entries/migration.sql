-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" BIGSERIAL NOT NULL,
    "entryId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "by" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "processId" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT,
    "status" INTEGER NOT NULL,
    "problem" TEXT,
    "before" JSON,
    "after" JSON,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "AuditEntry_entryId_key" ON "AuditEntry"("entryId");

-- CreateIndex
CREATE INDEX "AuditEntry_at_idx" ON "AuditEntry"("at");
