import { systemClock, type Clock } from '../../util/clock.js';
import { electionTimingProblems } from '../../util/duration-problems.js';
import type { EtcdSource } from './etcd-connection.js';

export interface EtcdElectionOptions {
  readonly etcd: EtcdSource;
  /** Prefix of all keys; candidates with the same one compete. Default `master-election`. */
  readonly lockName?: string;
  /**
   * A candidate that does not renew for this long loses its place. Whole seconds, given in milliseconds; etcd makes it longer
   * than one and a half of its own election timeouts, 2 s by default. Default 10,000.
   */
  readonly lockTtl?: number;
  /** How often each candidate renews. Milliseconds. Default: a third of `lockTtl`. */
  readonly heartbeatInterval?: number;
  readonly clock?: Clock;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

export interface ResolvedEtcdElectionOptions extends Required<EtcdElectionOptions> {
  /** No single call takes longer, so that several fit into a lease. Milliseconds. */
  readonly commandTimeout: number;
}

/** Upper limit for a call, whatever the lease. Milliseconds. */
const MAX_CALL = 3_000;

/** Fills in the defaults and checks everything; throws a `RangeError` that names all that is wrong. */
export function resolveEtcdElectionOptions(options: EtcdElectionOptions): ResolvedEtcdElectionOptions {
  const { etcd, lockName = 'master-election', lockTtl = 10_000 } = options;
  const { heartbeatInterval = Math.floor(lockTtl / 3), clock = systemClock, random = Math.random } = options;
  const timing = { lockTtl, heartbeatInterval, checkInterval: heartbeatInterval };
  const problems = [...sourceProblems(etcd), ...electionTimingProblems(timing)];
  if (lockName === '') problems.push('lockName must not be empty');
  if (lockTtl % 1_000 !== 0) problems.push(`lockTtl must be whole seconds, in milliseconds, not ${lockTtl}`);
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  const commandTimeout = Math.min(MAX_CALL, Math.ceil(lockTtl / 4));
  return { etcd, lockName, lockTtl, heartbeatInterval, clock, random, commandTimeout };
}

/** The problems of the address of etcd, one sentence each. */
function sourceProblems({ endpoints, tls, username, password }: EtcdSource): string[] {
  const urls = [endpoints].flat();
  const problems = urls
    .filter((url) => !isEndpoint(url))
    .map((url) => `etcd.endpoints must be http:// or https:// URLs, not '${url}'`);
  if (urls.length === 0) problems.push('etcd.endpoints must name at least one member');
  if (problems.length === 0 && tls && urls.some((url) => url.startsWith('http:')))
    problems.push('etcd.endpoints must be https:// URLs where etcd.tls is given');
  if (password !== undefined && username === undefined)
    problems.push('etcd.username is needed with etcd.password');
  return problems;
}

function isEndpoint(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username } = new URL(url);
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '' && username === '';
}
