-- The data of the demo. Rows with the same names get these values; other rows are not changed. A correct row is not written.

INSERT INTO "Model" AS present (name, "fileKey", "updatedAt")
VALUES
  ('people-counter', 'models/people-counter-v3.onnx', now()),
  ('vehicle-detector', 'models/vehicle-detector-v1.onnx', now())
ON CONFLICT (name) DO UPDATE
SET "fileKey" = excluded."fileKey", "updatedAt" = excluded."updatedAt"
WHERE present."fileKey" IS DISTINCT FROM excluded."fileKey";

INSERT INTO "Playlist" AS present (name, "modelId", "updatedAt")
SELECT demo.name, "Model".id, now()
FROM (VALUES
  ('entrances', 'people-counter'),
  ('shop-floor', 'people-counter'),
  ('car-park', 'vehicle-detector')
) AS demo (name, model)
JOIN "Model" ON "Model".name = demo.model
ON CONFLICT (name) DO UPDATE
SET "modelId" = excluded."modelId", "updatedAt" = excluded."updatedAt"
WHERE present."modelId" IS DISTINCT FROM excluded."modelId";

-- cam-003 has a login: lists, logs and the dashboard must not show its password.
INSERT INTO "Camera" AS present
  ("cameraIdentifier", "rtspUrl", "snapshotUrl", "snapshotInterval", "cropX1", "cropY1", "cropX2", "cropY2", "updatedAt")
VALUES
  ('cam-001', 'rtsp://10.20.0.11:554/main', 'http://10.20.0.11/snapshot.jpg', 5000, NULL, NULL, NULL, NULL, now()),
  ('cam-002', 'rtsp://10.20.0.12:554/main', NULL, NULL, NULL, NULL, NULL, NULL, now()),
  ('cam-003', 'rtsp://viewer:s3cret-demo@10.20.0.13:554/h264', 'http://viewer:s3cret-demo@10.20.0.13/snapshot.jpg', 10000,
    NULL, NULL, NULL, NULL, now()),
  ('cam-004', 'rtsp://10.20.0.14:554/main', NULL, NULL, 100, 80, 1820, 1000, now()),
  ('cam-005', 'rtsp://10.20.0.15:554/main', NULL, NULL, NULL, NULL, NULL, NULL, now()),
  ('cam-006', 'rtsp://10.20.0.16:554/main', NULL, NULL, NULL, NULL, NULL, NULL, now())
ON CONFLICT ("cameraIdentifier") DO UPDATE
SET ("rtspUrl", "snapshotUrl", "snapshotInterval", "cropX1", "cropY1", "cropX2", "cropY2", "updatedAt") =
  (excluded."rtspUrl", excluded."snapshotUrl", excluded."snapshotInterval", excluded."cropX1", excluded."cropY1",
    excluded."cropX2", excluded."cropY2", excluded."updatedAt")
WHERE (present."rtspUrl", present."snapshotUrl", present."snapshotInterval", present."cropX1", present."cropY1",
    present."cropX2", present."cropY2")
  IS DISTINCT FROM (excluded."rtspUrl", excluded."snapshotUrl", excluded."snapshotInterval", excluded."cropX1",
    excluded."cropY1", excluded."cropX2", excluded."cropY2");

-- cam-003 is on two displays. The last display has no playlist.
INSERT INTO "Display" AS present
  ("displayId", name, "cameraIdentifier", "playlistId", "cropX1", "cropY1", "cropX2", "cropY2", "updatedAt")
SELECT demo.display, demo.name, demo.camera, "Playlist".id, demo.x1, demo.y1, demo.x2, demo.y2, now()
FROM (VALUES
  ('display-001', 'Main entrance', 'cam-001', 'entrances', NULL::int, NULL::int, NULL::int, NULL::int),
  ('display-002', 'Side entrance', 'cam-002', 'entrances', NULL, NULL, NULL, NULL),
  ('display-003', 'Fashion, left', 'cam-003', 'shop-floor', NULL, NULL, NULL, NULL),
  ('display-004', 'Fashion, right', 'cam-003', 'shop-floor', NULL, NULL, NULL, NULL),
  ('display-005', 'Checkout', 'cam-004', 'shop-floor', 0, 0, 960, 540),
  ('display-006', 'Car park, level 1', 'cam-005', 'car-park', NULL, NULL, NULL, NULL),
  ('display-007', 'Car park, level 2', 'cam-006', 'car-park', NULL, NULL, NULL, NULL),
  ('display-008', 'Not in use yet', 'cam-002', NULL, NULL, NULL, NULL, NULL)
) AS demo (display, name, camera, playlist, x1, y1, x2, y2)
LEFT JOIN "Playlist" ON "Playlist".name = demo.playlist
ON CONFLICT ("displayId") DO UPDATE
SET (name, "cameraIdentifier", "playlistId", "cropX1", "cropY1", "cropX2", "cropY2", "updatedAt") =
  (excluded.name, excluded."cameraIdentifier", excluded."playlistId", excluded."cropX1", excluded."cropY1",
    excluded."cropX2", excluded."cropY2", excluded."updatedAt")
WHERE (present.name, present."cameraIdentifier", present."playlistId", present."cropX1", present."cropY1",
    present."cropX2", present."cropY2")
  IS DISTINCT FROM (excluded.name, excluded."cameraIdentifier", excluded."playlistId", excluded."cropX1",
    excluded."cropY1", excluded."cropX2", excluded."cropY2");
