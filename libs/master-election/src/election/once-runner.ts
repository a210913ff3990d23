import type { Lease } from '@detector-cluster/election';
import type { Redis } from 'ioredis';
import { ElectionStoppedError } from '../shared/errors.js';
import type { ResolvedMasterElectionOptions } from '../shared/master-election-options.js';
import { findNameProblem } from '../shared/resolve-options.js';
import { candidateIdOf } from '../registry/process-entry.js';
import { OnceStore } from './once-store.js';
import { OnceCall, resolveRunOnceOptions, type RunOnceOptions } from './once-call.js';

type OnceRunnerOptions = Pick<ResolvedMasterElectionOptions, 'lockName' | 'nodeId' | 'bootId'>;

/** Runs work that one process of the cluster does for all. */
export class OnceRunner {
  private readonly calls = new Map<OnceCall, Promise<boolean>>();
  private stopped = false;

  constructor(
    private readonly options: OnceRunnerOptions,
    /** The first call opens the connection if necessary; the caller closes it. */
    private readonly connection: () => Redis,
    private readonly onError: (error: Error) => void,
  ) {}

  /** As `MasterElection.runOnce`. */
  async run(key: string, work: (lease: Lease) => unknown, options: RunOnceOptions = {}): Promise<boolean> {
    const problem = findNameProblem(key);
    if (problem) throw new TypeError(`key ${problem}`);
    const { timeout, leaseTtl } = resolveRunOnceOptions(options);
    if (this.stopped) throw new ElectionStoppedError();
    const { lockName } = this.options;
    const call = new OnceCall({
      key,
      work,
      store: new OnceStore(this.connection(), lockName, key),
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
    }
  }

  /** Refuses new calls and aborts those in progress. Resolves when they have ended and released their claims. */
  async stop(): Promise<void> {
    this.stopped = true;
    const running = [...this.calls.values()];
    for (const call of this.calls.keys()) call.stop();
    await Promise.allSettled(running);
  }
}
