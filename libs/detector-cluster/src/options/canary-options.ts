/** A new version of a model's file runs on some of its cameras first. */
export interface CanaryOptions {
  /** How many percent of the cameras, from 1 to 99; at least one camera. */
  readonly share: number;
  /**
   * All cameras get the version when those of the canary have run it for this long without a failure, in milliseconds. Default: only
   * `setModelVersion` decides.
   */
  readonly confirmAfter?: number;
}

/** Adds each problem to `problems`, with the name of its option. */
export function resolveCanary(raw: CanaryOptions | undefined, problems: string[]): CanaryOptions | null {
  if (raw === undefined) return null;
  const { confirmAfter, share } = (raw ?? {}) as Partial<CanaryOptions>;
  if (!Number.isFinite(share) || share! < 1 || share! > 99)
    problems.push(`canary.share: must be a number of percent from 1 to 99, got ${String(share)}`);
  if (confirmAfter !== undefined && !(Number.isFinite(confirmAfter) && confirmAfter > 0))
    problems.push(
      `canary.confirmAfter: must be a number of milliseconds above 0, got ${String(confirmAfter)}`,
    );
  return raw;
}
