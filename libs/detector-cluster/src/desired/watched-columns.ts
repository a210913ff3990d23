const CROP = ['cropX1', 'cropY1', 'cropX2', 'cropY2'] as const;

/** The columns from which the desired state is made, by model: those that are read, and those that join them. */
export const WATCHED_COLUMNS = {
  Display: ['displayId', 'createdAt', 'cameraIdentifier', 'playlistId', ...CROP],
  Camera: ['cameraIdentifier', 'rtspUrl', 'snapshotUrl', 'snapshotInterval', ...CROP],
  Playlist: ['id', 'modelId'],
  Model: ['id', 'name'],
} as const;
