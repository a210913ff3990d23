import pg from 'pg';

export interface Filling {
  /** `camera-1` … and `display-1` …, one display per camera. */
  readonly cameras: number;
  /** Further cameras without a display. Default 0. */
  readonly spareCameras?: number;
}

/** Fills a migrated, empty database with displays that all show the same playlist. */
export async function fillDatabase(url: string, { cameras, spareCameras = 0 }: Filling): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      insert into "Model" ("name", "fileKey", "updatedAt") values ('vehicles', 'vehicles.onnx', now());
      insert into "Playlist" ("name", "modelId", "updatedAt") select 'everything', id, now() from "Model";
      insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt")
        select 'camera-' || i, 'rtsp://10.0.0.1/' || i, now() from generate_series(1, ${cameras + spareCameras}) i;
      insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt")
        select 'display-' || i, 'camera-' || i, p.id, now() from generate_series(1, ${cameras}) i, "Playlist" p;
      analyze`);
  } finally {
    await client.end();
  }
}
