import type { DesiredEntry, TrackedSubscription } from './observation.js';
import { LOADING_REASON } from './subscription-step.js';

/**
 * How far a camera has come with the version of a model's file that it is to run: it still has another one, and does not run (`stopped`) or runs
 * (`waiting`); its worker changes it (`replacing`) or cannot load the file (`failed`); something else keeps it from running (`dark`); or it
 * runs (`ready`).
 */
export type VersionStep = 'stopped' | 'waiting' | 'replacing' | 'failed' | 'dark' | 'ready';

/** A camera of a model. */
export interface CameraVersion {
  readonly cameraId: string;
  /** The version that it is to run. */
  readonly version: string;
  readonly step: VersionStep;
}

/** How a version reaches the cameras that are to run it. */
export interface ModelPace {
  readonly version: string;
  /** How many are to run it. */
  readonly cameras: number;
  /** How many run it. */
  readonly ready: number;
  /** How many have a worker that cannot load it. */
  readonly failed: number;
  /** No further camera gets it, because too many have failed. */
  readonly isPaused: boolean;
  readonly isDone: boolean;
  /** The cameras that get it now. */
  readonly next: readonly string[];
}

/** One of so many cameras of a model may be replaced at a time, and one at least. */
const CAMERAS_PER_PLACE = 20;

/** A camera that does not run after this time, for whatever other reason than its model, holds up no others. Milliseconds. */
const MAX_REPLACEMENT = 60_000;

/** @param version what the subscription is to run */
export function versionStep(
  { hash, spec }: DesiredEntry,
  version: string,
  tracked: TrackedSubscription | undefined,
  wallNow: number,
): VersionStep {
  if (spec.modelVersion !== version) return tracked?.status === 'active' ? 'waiting' : 'stopped';
  if (tracked === undefined) return 'replacing';
  const { detail, reason, since, specHash, status, workerUrl } = tracked;
  // Until the next pass has sent it, the status is that of the former version.
  const isSent = specHash === hash;
  if (status === 'active') return isSent ? 'ready' : 'replacing';
  if (detail !== undefined && (isSent || workerUrl === '')) return 'failed';
  if (reason === LOADING_REASON) return 'replacing';
  // The clock of a former master may have been ahead.
  const isLate = Math.abs(wallNow - since) >= MAX_REPLACEMENT;
  return isLate || reason === 'camera-offline' ? 'dark' : 'replacing';
}

export const hasOtherVersion = (step: VersionStep): boolean => step === 'stopped' || step === 'waiting';

const STEPS: readonly VersionStep[] = ['replacing', 'failed', 'stopped', 'waiting', 'dark', 'ready'];

/** The step of a camera with several subscriptions of the model: that of the one that has come least far. */
export const lessFar = (a: VersionStep, b: VersionStep): VersionStep =>
  STEPS[Math.min(STEPS.indexOf(a), STEPS.indexOf(b))]!;

/**
 * Which cameras get their version now: the first one alone; then no more at once than run it already, and no more than one in twenty. A camera
 * that has failed keeps its place, so a bad file stops at the first cameras. Those that do not run anyway come first.
 * @param all the cameras of one model
 * @param last the version that was under way at the last look
 * @returns null: no version is under way
 */
export function modelPace(all: readonly CameraVersion[], last: string | undefined): ModelPace | null {
  const version = all.find(({ step }) => hasOtherVersion(step))?.version ?? last;
  if (version === undefined) return null;
  const group = all.filter((camera) => camera.version === version);
  if (group.length === 0) return null;
  const of = (cameras: readonly CameraVersion[], wanted: VersionStep) =>
    cameras.filter(({ step }) => step === wanted);
  const [failed, ready] = [of(group, 'failed').length, of(group, 'ready').length];
  const replacing = of(all, 'replacing').length;
  const queue = [...of(group, 'stopped'), ...of(group, 'waiting')];
  const places = Math.min(Math.ceil(all.length / CAMERAS_PER_PLACE), Math.max(1, ready));
  return {
    version,
    cameras: group.length,
    ready,
    failed,
    isPaused: queue.length > 0 && failed >= places,
    isDone: queue.length === 0 && replacing === 0,
    next: queue.slice(0, Math.max(0, places - failed - replacing)).map(({ cameraId }) => cameraId),
  };
}
