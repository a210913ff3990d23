import { hashString } from './rendezvous.js';

/** Which version of a model's file runs on which of its cameras. Times are wall clock, milliseconds. */
export interface ModelRollout {
  /** The version of all cameras that do not run the candidate. */
  readonly current: string;
  /** The version that `current` has replaced: the way back. Null: none is known. */
  readonly former: string | null;
  /** The version that the provider gives, where that is not `current`; null: it is. */
  readonly candidate: string | null;
  /** Percent of the cameras that were to run the candidate when it came. 0: an operator has rolled it back. */
  readonly share: number;
  /** Cameras whose hash is below this run the candidate. */
  readonly below: number;
  /** When this last changed. */
  readonly since: number;
  /** Since when the canary runs without a failure; null: not yet, or there is no canary. */
  readonly quietSince: number | null;
}

/** The number of hashes. */
const HASHES = 2 ** 32;

export const isCanary = ({ candidate, share }: ModelRollout): boolean => candidate !== null && share > 0;

/** The version for a camera. It stays the same until the rollout changes. */
export function versionFor({ below, candidate, current }: ModelRollout, cameraId: string): string {
  return candidate !== null && hashString(cameraId) < below ? candidate : current;
}

/**
 * The limit below which lie the hashes of the canary's cameras: a share of the present cameras, rounded up. So few cameras have at least one,
 * and a camera that comes later is judged by its hash alone.
 */
function limitFor(cameras: Iterable<string>, share: number): number {
  const hashes = [...new Set(cameras)].map((camera) => hashString(camera)).sort((a, b) => a - b);
  if (hashes.length === 0) return Math.ceil((HASHES * share) / 100);
  return hashes[Math.ceil((hashes.length * share) / 100) - 1]! + 1;
}

/**
 * After the provider has given this version. Returns the same object if nothing changes: the version runs already, is the candidate, or
 * was rolled back.
 * @param share percent of the cameras that run a new version first; 100: all get it
 * @param cameras those that run the model now
 */
export function offered(
  before: ModelRollout | undefined,
  version: string,
  {
    cameras,
    now,
    share,
  }: { readonly cameras: Iterable<string>; readonly now: number; readonly share: number },
): ModelRollout {
  if (before?.candidate === version) return before;
  const rest = { candidate: null, share: 0, below: 0, since: now, quietSince: null };
  if (before === undefined) return { ...rest, current: version, former: null };
  if (before.current === version)
    return before.candidate === null ? before : { ...rest, current: version, former: before.former };
  if (share >= 100) return { ...rest, current: version, former: before.current };
  return {
    ...before,
    candidate: version,
    share,
    below: limitFor(cameras, share),
    since: now,
    quietSince: null,
  };
}

/**
 * All cameras run this version: the candidate, also one that was rolled back, or on the way back the current or the former version. Returns
 * the same object if they do already; null if the version is none of these.
 */
export function switchedTo(before: ModelRollout, version: string, now: number): ModelRollout | null {
  const { candidate, current, former } = before;
  if (version === current && !isCanary(before)) return before;
  if (![candidate, current, former].includes(version)) return null;
  // What the provider gives must not come back by itself.
  const given = candidate ?? current;
  return {
    current: version,
    former: version === former ? null : version === current ? former : current,
    candidate: given === version ? null : given,
    share: 0,
    below: 0,
    since: now,
    quietSince: null,
  };
}

/** What the cameras of a canary do. */
export interface CanaryHealth {
  /** How many show a picture. */
  readonly active: number;
  /** One of them does not, and its camera is not the reason. */
  readonly isTroubled: boolean;
}

/**
 * After a look at the canary: it is confirmed when it has run for some time without a failure. Returns the same object if nothing changes.
 * @param confirmAfter milliseconds; null: only an operator confirms
 */
export function watched(
  before: ModelRollout,
  { active, isTroubled }: CanaryHealth,
  confirmAfter: number | null,
  now: number,
): ModelRollout {
  if (!isCanary(before)) return before;
  const { quietSince } = before;
  if (isTroubled || active === 0) return quietSince === null ? before : { ...before, quietSince: null };
  // The clock of a former master may have been ahead.
  if (quietSince === null || quietSince > now) return { ...before, quietSince: now };
  if (confirmAfter === null || now - quietSince < confirmAfter) return before;
  return switchedTo(before, before.candidate!, now)!;
}
