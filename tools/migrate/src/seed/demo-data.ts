/** A row of a table, by column. */
export type Row = Readonly<Record<string, string | number | null>>;

export const DEMO_MODELS: readonly Row[] = [
  { name: 'people-counter', fileKey: 'models/people-counter-v3.onnx' },
  { name: 'vehicle-detector', fileKey: 'models/vehicle-detector-v1.onnx' },
];

/** `model` is the name of one. */
export const DEMO_PLAYLISTS: readonly Row[] = [
  { name: 'entrances', model: 'people-counter' },
  { name: 'shop-floor', model: 'people-counter' },
  { name: 'car-park', model: 'vehicle-detector' },
];

const NO_CROP = { cropX1: null, cropY1: null, cropX2: null, cropY2: null };

export const DEMO_CAMERAS: readonly Row[] = [
  {
    cameraIdentifier: 'cam-001',
    rtspUrl: 'rtsp://10.20.0.11:554/main',
    snapshotUrl: 'http://10.20.0.11/snapshot.jpg',
    snapshotInterval: 5000,
    ...NO_CROP,
  },
  {
    cameraIdentifier: 'cam-002',
    rtspUrl: 'rtsp://10.20.0.12:554/main',
    snapshotUrl: null,
    snapshotInterval: null,
    ...NO_CROP,
  },
  {
    // A camera with a login: lists, logs and the dashboard must not show its password.
    cameraIdentifier: 'cam-003',
    rtspUrl: 'rtsp://viewer:s3cret-demo@10.20.0.13:554/h264',
    snapshotUrl: 'http://viewer:s3cret-demo@10.20.0.13/snapshot.jpg',
    snapshotInterval: 10000,
    ...NO_CROP,
  },
  {
    cameraIdentifier: 'cam-004',
    rtspUrl: 'rtsp://10.20.0.14:554/main',
    snapshotUrl: null,
    snapshotInterval: null,
    cropX1: 100,
    cropY1: 80,
    cropX2: 1820,
    cropY2: 1000,
  },
  {
    cameraIdentifier: 'cam-005',
    rtspUrl: 'rtsp://10.20.0.15:554/main',
    snapshotUrl: null,
    snapshotInterval: null,
    ...NO_CROP,
  },
  {
    cameraIdentifier: 'cam-006',
    rtspUrl: 'rtsp://10.20.0.16:554/main',
    snapshotUrl: null,
    snapshotInterval: null,
    ...NO_CROP,
  },
];

const display = (
  displayId: string,
  name: string,
  camera: string,
  playlist: string | null,
  crop = NO_CROP,
) => ({
  displayId,
  name,
  cameraIdentifier: camera,
  playlist,
  ...crop,
});

/** `playlist` is the name of one. The third camera is on two displays; the last display has no playlist. */
export const DEMO_DISPLAYS: readonly Row[] = [
  display('display-001', 'Main entrance', 'cam-001', 'entrances'),
  display('display-002', 'Side entrance', 'cam-002', 'entrances'),
  display('display-003', 'Fashion, left', 'cam-003', 'shop-floor'),
  display('display-004', 'Fashion, right', 'cam-003', 'shop-floor'),
  {
    ...display('display-005', 'Checkout', 'cam-004', 'shop-floor'),
    cropX1: 0,
    cropY1: 0,
    cropX2: 960,
    cropY2: 540,
  },
  display('display-006', 'Car park, level 1', 'cam-005', 'car-park'),
  display('display-007', 'Car park, level 2', 'cam-006', 'car-park'),
  display('display-008', 'Not in use yet', 'cam-002', null),
];
