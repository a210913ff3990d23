-- CreateTable
CREATE TABLE "Display" (
    "displayId" TEXT NOT NULL,
    "cameraIdentifier" TEXT,
    "playlistId" INTEGER,
    "cropX1" INTEGER,
    "cropY1" INTEGER,
    "cropX2" INTEGER,
    "cropY2" INTEGER,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Display_pkey" PRIMARY KEY ("displayId")
);

-- CreateTable
CREATE TABLE "Camera" (
    "cameraIdentifier" TEXT NOT NULL,
    "rtspUrl" TEXT NOT NULL,
    "snapshotUrl" TEXT,
    "snapshotInterval" INTEGER,
    "cropX1" INTEGER,
    "cropY1" INTEGER,
    "cropX2" INTEGER,
    "cropY2" INTEGER,

    CONSTRAINT "Camera_pkey" PRIMARY KEY ("cameraIdentifier")
);

-- CreateTable
CREATE TABLE "Playlist" (
    "id" SERIAL NOT NULL,
    "modelId" INTEGER,

    CONSTRAINT "Playlist_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Model" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "Model_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Model_name_key" ON "Model"("name");

-- AddForeignKey
ALTER TABLE "Display" ADD CONSTRAINT "Display_cameraIdentifier_fkey" FOREIGN KEY ("cameraIdentifier") REFERENCES "Camera"("cameraIdentifier") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Display" ADD CONSTRAINT "Display_playlistId_fkey" FOREIGN KEY ("playlistId") REFERENCES "Playlist"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Playlist" ADD CONSTRAINT "Playlist_modelId_fkey" FOREIGN KEY ("modelId") REFERENCES "Model"("id") ON DELETE SET NULL ON UPDATE CASCADE;
