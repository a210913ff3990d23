import type { ElectionBackend } from '@detector-cluster/election';
import type {
  CrashDetection,
  DirectRedisSource,
  ElectionTimes,
  ElectionTiming,
  ElectionTimingName,
  PresenceTiming,
  RedisSource,
} from '@detector-cluster/election/redis';
import type { ProcessCapabilities } from '../model/process-capabilities.js';

/** Options of `MasterElectionModule`. All durations in milliseconds. */
export interface MasterElectionOptions extends Partial<ElectionTiming>, Partial<PresenceTiming> {
  /**
   * A URL, ioredis options, an instance whose settings are copied, or `{ cluster: { nodes } }`. Holds the process registry and,
   * by default, the election.
   */
  readonly redis: RedisSource;
  /** Prefix of all keys; processes with the same one are one cluster. Default `master-election`; on a Redis Cluster `{master-election}`. */
  readonly lockName?: string;
  /** Defaults of `lockTtl`, `heartbeatInterval` and `checkInterval`: `default` 30 s, 10 s, 5 s; `fast` 3 s, 1 s, 0.5 s. */
  readonly timing?: ElectionTimingName;
  /**
   * How the death of a master is noticed: `presence` (default), by the end of a connection that its process holds, in about a
   * second; `lease`, when its lease has run out.
   */
  readonly crashDetection?: CrashDetection;
  /** How long a master that hands over waits for the work that was given to `lease.waitUntil`. Default 5,000. */
  readonly handoverTimeout?: number;
  /** Name that operators read. No `;` and no control characters. Default `cms-backend`. */
  readonly identifier?: string;
  /** Must be unique among the live processes. No `;` and no control characters. Default `<identifier>:<random uuid>`. */
  readonly nodeId?: string;
  /** Anything that JSON can carry, for other processes to read. Default `{}`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Default: processes detections, 100 subscriptions, workload 80. */
  readonly capabilities?: Partial<ProcessCapabilities>;
  /** Where the election takes place. Default: leases in `redis`. The module closes it at the end. */
  readonly backend?: ElectionBackend;
}

/** What a class given to `forRootAsync` as `useClass` or `useExisting` provides. */
export interface MasterElectionOptionsFactory {
  createMasterElectionOptions(): MasterElectionOptions | Promise<MasterElectionOptions>;
}

/** {@link MasterElectionOptions} with all defaults. */
export interface ResolvedMasterElectionOptions extends ElectionTimes {
  /** Which election of the application: `default`, or the name given to `forFeature`. */
  readonly name: string;
  readonly redis: DirectRedisSource;
  readonly lockName: string;
  readonly identifier: string;
  readonly nodeId: string;
  /** The node id was given, so that another process may have been given the same. */
  readonly namedNode: boolean;
  /** Unique for each start of a process. */
  readonly bootId: string;
  readonly handoverTimeout: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly capabilities: ProcessCapabilities;
  readonly backend: ElectionBackend | undefined;
}
