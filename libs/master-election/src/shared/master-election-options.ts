import type { ElectionBackend } from '@detector-cluster/election';
import type { ElectionTimes, PresenceTiming } from '@detector-cluster/election/internal/redis';
import type {
  CrashDetection,
  DirectRedisSource,
  ElectionTiming,
  ElectionTimingName,
  RedisSource,
} from '@detector-cluster/election/redis';
import type { ProcessCapabilities } from './process-info.js';

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
   * How the cluster detects that the master died. `presence` (default): the connection that its process holds closes; takes about a
   * second. `lease`: its lease expires.
   */
  readonly crashDetection?: CrashDetection;
  /** How long a master that hands over waits for work passed to `lease.waitUntil`. Default 5,000. */
  readonly handoverTimeout?: number;
  /** Name that operators read. No `;` and no control characters. Default `cms-backend`. */
  readonly identifier?: string;
  /** Must be unique among the live processes. No `;` and no control characters. Default `<identifier>:<random uuid>`. */
  readonly nodeId?: string;
  /** Any JSON object, for other processes to read. Default `{}`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Default: processes detections, 100 subscriptions, workload 80. */
  readonly capabilities?: Partial<ProcessCapabilities>;
  /** Store of the election. Default: leases in `redis`. The module closes it at the end. */
  readonly backend?: ElectionBackend;
}

/** Interface of a class given to `forRootAsync` as `useClass` or `useExisting`. */
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
  /** An option set the node id, so another process may have the same. */
  readonly namedNode: boolean;
  /** Unique for each start of a process. */
  readonly bootId: string;
  readonly handoverTimeout: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly capabilities: ProcessCapabilities;
  readonly backend: ElectionBackend | undefined;
}
