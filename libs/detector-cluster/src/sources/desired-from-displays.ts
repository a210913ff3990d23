import {
  formatSubscription,
  identifierProblem,
  type DesiredCameraSubscription,
  type SkippedDisplay,
  type SkipReason,
} from '@detector-cluster/placement/internal';
import { isRecord } from '../shared/read-json.js';
import type { DesiredState } from './desired-state-source.js';
import { hasCrop, readStream, reasonOf } from './stream-fields.js';

/** Four nullable columns; a crop is set if any of them is set. */
interface CropColumns {
  readonly cropX1: number | null;
  readonly cropY1: number | null;
  readonly cropX2: number | null;
  readonly cropY2: number | null;
}

/** A display with all columns that determine its subscription: the result of {@link displaySelect}. */
export interface DisplayRow extends CropColumns {
  readonly displayId: string;
  readonly createdAt: Date | string;
  readonly camera:
    | (CropColumns & {
        readonly cameraIdentifier: string;
        readonly rtspUrl: string;
        readonly snapshotUrl: string | null;
        /** Milliseconds. */
        readonly snapshotInterval: number | null;
      })
    | null;
  readonly playlist: { readonly model: { readonly id: number; readonly name: string } | null } | null;
}

const crop = { cropX1: true, cropY1: true, cropX2: true, cropY2: true } as const;

/** The columns of a {@link DisplayRow}, as a Prisma `select`. */
export const displaySelect = {
  displayId: true,
  createdAt: true,
  ...crop,
  camera: {
    select: {
      cameraIdentifier: true,
      rtspUrl: true,
      snapshotUrl: true,
      snapshotInterval: true,
      ...crop,
    },
  },
  playlist: { select: { model: { select: { id: true, name: true } } } },
} as const;

type Fields = Readonly<Record<string, unknown>>;
type Outcome = DesiredCameraSubscription | Pick<SkippedDisplay, 'reason' | 'detail'>;

const skip = (reason: SkipReason, detail: string): Outcome => ({ reason, detail });

function isoTime(value: unknown): string {
  const time = value instanceof Date || typeof value === 'string' ? new Date(value).getTime() : Number.NaN;
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
}

function cameraOf(row: unknown): Pick<SkippedDisplay, 'cameraId'> {
  const camera = isRecord(row) && isRecord(row.camera) ? row.camera.cameraIdentifier : undefined;
  return identifierProblem(camera) === null ? { cameraId: camera as string } : {};
}

function subscriptionOf(row: Fields): Outcome {
  const displayProblem = identifierProblem(row.displayId);
  if (displayProblem !== null) return skip('invalid-display-id', `displayId: ${displayProblem}`);

  const { camera, playlist } = row;
  if (!isRecord(camera)) return skip('no-camera', 'the display names no camera');
  const cameraProblem = identifierProblem(camera.cameraIdentifier);
  if (cameraProblem !== null) return skip('invalid-camera-id', `cameraIdentifier: ${cameraProblem}`);
  if (!isRecord(playlist)) return skip('no-playlist', 'the display has no playlist');
  const { model } = playlist;
  if (!isRecord(model)) return skip('playlist-without-model', 'the playlist has no model');
  const [owner, { cropX1, cropY1, cropX2, cropY2 }] = hasCrop(row) ? ['display', row] : ['camera', camera];
  const { rtspUrl, snapshotUrl, snapshotInterval } = camera;
  const { id: modelId, name: modelName } = model;
  const crop = { cropX1, cropY1, cropX2, cropY2 };
  const reading = readStream({ rtspUrl, snapshotUrl, snapshotInterval, modelId, modelName, ...crop });
  if ('problem' in reading) {
    const { field, problem } = reading;
    return skip(reasonOf(field), `${field in crop ? `${field} of the ${owner}` : field}: ${problem}`);
  }
  return {
    subscriptionIdentifier: formatSubscription(row.displayId as string, camera.cameraIdentifier as string),
    createdAt: isoTime(row.createdAt),
    ...reading.stream,
  };
}

/**
 * The desired state according to the database: one subscription for each display that has a camera and a playlist with a
 * model. A display's crop replaces the camera's crop completely. Pure. Rows may not have the declared shape: a bad row is
 * skipped with a reason and does not affect others. Of two rows with the same identifier the first counts.
 */
export function desiredFromDisplays(rows: readonly DisplayRow[]): DesiredState {
  const subscriptions: DesiredCameraSubscription[] = [];
  const skipped: SkippedDisplay[] = [];
  const seen = new Set<string>();
  for (const row of rows as readonly unknown[]) {
    const outcome = isRecord(row) ? subscriptionOf(row) : skip('malformed-row', 'the row is no object');
    const displayId = isRecord(row) && typeof row.displayId === 'string' ? row.displayId : '';
    if ('reason' in outcome) skipped.push({ displayId, ...cameraOf(row), ...outcome });
    else if (seen.has(outcome.subscriptionIdentifier))
      skipped.push({
        displayId,
        ...cameraOf(row),
        reason: 'duplicate',
        detail: `another row gave ${outcome.subscriptionIdentifier}`,
      });
    else {
      seen.add(outcome.subscriptionIdentifier);
      subscriptions.push(outcome);
    }
  }
  return { subscriptions, skipped };
}
