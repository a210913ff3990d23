import { unknownOptions } from '@detector-cluster/election/internal';
import { MAX_FRAME_BYTES } from '@detector-cluster/worker-protocol';

/** How much the master takes from one worker. */
export interface WorkerLimits {
  /** Most bytes of the frame of a detection; larger ones are refused. Default 65,536, at most 1,048,576. */
  readonly detectionBytes: number;
  /** Detections taken in a second; further ones are dropped. Default null: no limit. */
  readonly detectionsPerSecond: number | null;
  /** Bytes of frames that may wait until the master reads them. At this limit it pauses the socket. Default 4,194,304. */
  readonly unreadBytes: number;
  /** The same for the number of frames. Default 4,000. */
  readonly unreadFrames: number;
}

export const defaultWorkerLimits: WorkerLimits = {
  detectionBytes: 64 * 1024,
  detectionsPerSecond: null,
  unreadBytes: 4 * 1024 * 1024,
  unreadFrames: 4_000,
};

/** All defaults and all checks of the option `workerLimits`. Adds each problem with the name of its option. */
export function resolveWorkerLimits(raw: unknown, problems: string[]): WorkerLimits {
  const limits = { ...defaultWorkerLimits, ...(raw as Partial<WorkerLimits> | undefined) };
  const check = (name: keyof WorkerLimits, least: number, most: number) => {
    const value: unknown = limits[name];
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
      problems.push(
        `workerLimits.${name}: must be a whole number from ${least} to ${most}, got ${String(value)}`,
      );
  };
  problems.push(
    ...unknownOptions(raw, Object.keys(defaultWorkerLimits), { path: 'workerLimits.', separator: ': ' }),
  );
  check('detectionBytes', 1_024, MAX_FRAME_BYTES);
  // A state report of the largest worker must fit.
  check('unreadBytes', MAX_FRAME_BYTES, 64 * MAX_FRAME_BYTES);
  check('unreadFrames', 10, 100_000);
  if (limits.detectionsPerSecond !== null) check('detectionsPerSecond', 1, 1_000_000);
  return limits;
}
