import { systemClock } from '@detector-cluster/election';
import { MAX_LEASE, MAX_TIMER } from '@detector-cluster/election/internal';
import type { CoreGroupOptions, GroupTimes, ResolvedGroupOptions } from './group-options.js';

/** Fills in the defaults. `problems` has one sentence for each problem. */
export function examineGroupOptions(raw: CoreGroupOptions): {
  options: ResolvedGroupOptions;
  problems: string[];
} {
  const problems: string[] = [];
  const whole = (name: string, value: unknown, least: number, most = MAX_TIMER) => {
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
      problems.push(`${name} must be a whole number from ${least} to ${most}, not ${String(value)}`);
  };
  const { group = 'default', store, detector = 'swim', quorum = false, name } = raw;
  if (typeof group !== 'string' || group === '' || group.length > 128)
    problems.push('group must be a name of 1 to 128 characters');
  for (const method of ['get', 'set', 'cleanup'] as const)
    if (typeof store?.[method] !== 'function') {
      problems.push('store must be a LeaderStore with get, set and cleanup, such as new MemoryLeaderStore()');
      break;
    }
  if (detector !== 'swim' && detector !== 'round-robin')
    problems.push(`detector must be 'swim' or 'round-robin', not ${JSON.stringify(detector)}`);
  if (typeof quorum !== 'boolean') problems.push('quorum must be true or false');
  if (name !== undefined && (typeof name !== 'string' || name === '' || name.length > 512))
    problems.push('name must be a string of 1 to 512 characters');

  const leaseTtl = raw.leaseTtl ?? 5_000;
  const times: GroupTimes = {
    pingCycle: raw.pingCycle ?? 1_000,
    failureThreshold: raw.failureThreshold ?? 5,
    leaseTtl,
    renewInterval: raw.renewInterval ?? Math.floor(leaseTtl / 5),
    joinWait: raw.joinWait ?? 1_000,
    busyWait: raw.busyWait ?? 5_000,
    joinTimeout: raw.joinTimeout ?? 2_000,
    storeTimeout: raw.storeTimeout ?? Math.min(2_000, Math.floor(leaseTtl / 3)),
    cooldown: raw.cooldown ?? 1_000,
    rememberFor: raw.rememberFor ?? 600_000,
  };
  const before = problems.length;
  whole('pingCycle', times.pingCycle, 10);
  whole('failureThreshold', times.failureThreshold, 2, 1_000);
  whole('leaseTtl', times.leaseTtl, 100, MAX_LEASE);
  for (const option of ['renewInterval', 'joinWait', 'busyWait', 'joinTimeout', 'storeTimeout'] as const)
    whole(option, times[option], 1);
  for (const option of ['cooldown', 'rememberFor'] as const) whole(option, times[option], 0);
  if (problems.length === before && times.renewInterval * 3 > times.leaseTtl)
    problems.push(
      `renewInterval (${times.renewInterval}) must be at most a third of leaseTtl (${times.leaseTtl}), so that a failed renewal can be repeated`,
    );
  const { probes = 3, helpers = 3 } = raw;
  whole('probes', probes, 1, 100);
  whole('helpers', helpers, 0, 100);
  return {
    options: {
      group,
      store,
      detector,
      quorum,
      name,
      ...times,
      probes,
      helpers,
      onWarning: raw.onWarning ?? ((message) => process.emitWarning(message)),
      clock: raw.clock ?? systemClock,
      random: raw.random ?? Math.random,
    },
    problems,
  };
}

/** @throws InvalidGroupOptionsError with all problems at once. */
export function resolveGroupOptions(raw: CoreGroupOptions): ResolvedGroupOptions {
  const { options, problems } = examineGroupOptions(raw);
  if (problems.length > 0) throw new InvalidGroupOptionsError(problems);
  return options;
}

/** The options of a group are invalid. Lists all problems, one sentence for each, by option name. */
export class InvalidGroupOptionsError extends Error {
  override readonly name = 'InvalidGroupOptionsError';
  readonly code = 'INVALID_OPTIONS';

  constructor(readonly problems: readonly string[]) {
    super(`invalid options of the group:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}
