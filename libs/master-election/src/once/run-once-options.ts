/** Options of `MasterElection.runOnce`. All durations in milliseconds. */
export interface RunOnceOptions {
  /** How long to wait for another process that runs the work. A run in this process is not limited. Default 300,000. */
  readonly timeout?: number;
  /** How long a claim lasts after its process dies. Must be the same in all processes. At least 1,000, default 10,000. */
  readonly leaseTtl?: number;
}

const SHORTEST_LEASE = 1_000;

/** The longest delay of a timer in Node. Milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** @throws RangeError that names the option. */
export function resolveRunOnceOptions({
  timeout = 300_000,
  leaseTtl = 10_000,
}: RunOnceOptions): Required<RunOnceOptions> {
  if (!(Number.isFinite(timeout) && timeout > 0 && timeout <= LONGEST_TIMER))
    throw new RangeError(`timeout must be a positive number of milliseconds up to ${LONGEST_TIMER}`);
  if (!(Number.isSafeInteger(leaseTtl) && leaseTtl >= SHORTEST_LEASE && leaseTtl <= LONGEST_TIMER))
    throw new RangeError(`leaseTtl must be a whole number of milliseconds from ${SHORTEST_LEASE} on`);
  return { timeout, leaseTtl };
}
