import type { Lease } from '@detector-cluster/election';
import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { ElectionStoppedError } from '../errors/election-stopped.error.js';
import { findNameProblem } from '../options/find-name-problem.js';
import type { ResolvedMasterElectionOptions } from '../options/master-election-options.js';
import { candidateIdOf } from '../registry/process-entry.js';
import { OnceCall } from './once-call.js';
import { OnceStore } from './once-store.js';
import { resolveRunOnceOptions } from './resolve-run-once-options.js';
import type { RunOnceOptions } from './run-once-options.js';

type OnceRunnerOptions = Pick<ResolvedMasterElectionOptions, 'redis' | 'lockName' | 'nodeId' | 'bootId'>;

/** Runs work that one process of the cluster does for all. Holds a connection while a call is going on, and only then. */
export class OnceRunner {
  private readonly calls = new Map<OnceCall, Promise<boolean>>();
  private redis: Redis | undefined;
  private stopped = false;

  constructor(
    private readonly options: OnceRunnerOptions,
    private readonly onError: (error: Error) => void,
  ) {}

  /** As `MasterElection.runOnce`. */
  async run(key: string, work: (lease: Lease) => unknown, options: RunOnceOptions = {}): Promise<boolean> {
    const problem = findNameProblem(key);
    if (problem) throw new TypeError(`key ${problem}`);
    const { timeout, leaseTtl } = resolveRunOnceOptions(options);
    if (this.stopped) throw new ElectionStoppedError();
    const { redis: source, lockName } = this.options;
    this.redis ??= openRedis(source, commandSettings);
    const call = new OnceCall({
      key,
      work,
      store: new OnceStore(this.redis, lockName, key, leaseTtl),
      timeout,
      leaseTtl,
      caller: candidateIdOf(this.options),
      onError: this.onError,
    });
    const running = call.run();
    this.calls.set(call, running);
    try {
      return await running;
    } finally {
      this.calls.delete(call);
      if (this.calls.size === 0) this.disconnect();
    }
  }

  /** Aborts what is going on, and resolves when it has ended and the claims are given back. No call is taken any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    const running = [...this.calls.values()];
    for (const call of this.calls.keys()) call.stop();
    await Promise.allSettled(running);
  }

  private disconnect(): void {
    if (this.redis) closeRedis(this.redis);
    this.redis = undefined;
  }
}
