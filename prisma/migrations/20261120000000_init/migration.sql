-- CreateTable
CREATE TABLE "Display" (
    "id" SERIAL NOT NULL,
    "displayId" VARCHAR(256) NOT NULL,
    "name" VARCHAR(256) NOT NULL DEFAULT '',
    "cameraIdentifier" VARCHAR(256),
    "playlistId" INTEGER,
    "cropX1" INTEGER,
    "cropY1" INTEGER,
    "cropX2" INTEGER,
    "cropY2" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Display_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Camera" (
    "id" SERIAL NOT NULL,
    "cameraIdentifier" VARCHAR(256) NOT NULL,
    "rtspUrl" TEXT NOT NULL,
    "snapshotUrl" TEXT,
    "snapshotInterval" INTEGER,
    "cropX1" INTEGER,
    "cropY1" INTEGER,
    "cropX2" INTEGER,
    "cropY2" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Camera_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Playlist" (
    "id" SERIAL NOT NULL,
    "name" VARCHAR(256) NOT NULL,
    "modelId" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Playlist_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Model" (
    "id" SERIAL NOT NULL,
    "name" VARCHAR(256) NOT NULL,
    "fileKey" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Model_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Display_displayId_key" ON "Display"("displayId");

-- CreateIndex
CREATE INDEX "Display_cameraIdentifier_idx" ON "Display"("cameraIdentifier");

-- CreateIndex
CREATE INDEX "Display_playlistId_idx" ON "Display"("playlistId");

-- CreateIndex
CREATE UNIQUE INDEX "Camera_cameraIdentifier_key" ON "Camera"("cameraIdentifier");

-- CreateIndex
CREATE UNIQUE INDEX "Playlist_name_key" ON "Playlist"("name");

-- CreateIndex
CREATE INDEX "Playlist_modelId_idx" ON "Playlist"("modelId");

-- CreateIndex
CREATE UNIQUE INDEX "Model_name_key" ON "Model"("name");

-- AddForeignKey
ALTER TABLE "Display" ADD CONSTRAINT "Display_cameraIdentifier_fkey" FOREIGN KEY ("cameraIdentifier") REFERENCES "Camera"("cameraIdentifier") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Display" ADD CONSTRAINT "Display_playlistId_fkey" FOREIGN KEY ("playlistId") REFERENCES "Playlist"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Playlist" ADD CONSTRAINT "Playlist_modelId_fkey" FOREIGN KEY ("modelId") REFERENCES "Model"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Rules that the Prisma schema cannot state. Checked here, they bind every writer.
-- No semicolon stands in a comment or literal below: Prisma's driver adapters split scripts at every one.

-- An identifier is not blank and contains neither a semicolon, which joins display and camera, nor a control character.
ALTER TABLE "Display" ADD CONSTRAINT "Display_displayId_check"
    CHECK ("displayId" ~ '\S' AND "displayId" !~ '[\u003b\u0001-\u001f\u007f-\u009f]');
ALTER TABLE "Camera" ADD CONSTRAINT "Camera_cameraIdentifier_check"
    CHECK ("cameraIdentifier" ~ '\S' AND "cameraIdentifier" !~ '[\u003b\u0001-\u001f\u007f-\u009f]');

-- A crop is whole or absent, and a rectangle with an area.
ALTER TABLE "Display" ADD CONSTRAINT "Display_crop_check"
    CHECK (num_nulls("cropX1", "cropY1", "cropX2", "cropY2") = 4
        OR (num_nulls("cropX1", "cropY1", "cropX2", "cropY2") = 0
            AND "cropX1" >= 0 AND "cropY1" >= 0 AND "cropX1" < "cropX2" AND "cropY1" < "cropY2"));
ALTER TABLE "Camera" ADD CONSTRAINT "Camera_crop_check"
    CHECK (num_nulls("cropX1", "cropY1", "cropX2", "cropY2") = 4
        OR (num_nulls("cropX1", "cropY1", "cropX2", "cropY2") = 0
            AND "cropX1" >= 0 AND "cropY1" >= 0 AND "cropX1" < "cropX2" AND "cropY1" < "cropY2"));

ALTER TABLE "Camera" ADD CONSTRAINT "Camera_snapshotInterval_check"
    CHECK ("snapshotInterval" > 0);
