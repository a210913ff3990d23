const CROP = ['cropX1', 'cropY1', 'cropX2', 'cropY2'] as const;

/** The columns that determine the desired state, by model: the columns that are read, and the join columns. */
export const WATCHED_COLUMNS = {
  Display: ['displayId', 'createdAt', 'cameraIdentifier', 'playlistId', ...CROP],
  Camera: ['cameraIdentifier', 'rtspUrl', 'snapshotUrl', 'snapshotInterval', ...CROP],
  Playlist: ['id', 'modelId'],
  Model: ['id', 'name'],
} as const;
