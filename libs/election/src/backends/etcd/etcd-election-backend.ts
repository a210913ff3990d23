import type { Candidate, ElectionBackend, ElectionState } from '../../contract/election-backend.js';
import { CampaignSlot } from '../../lease/campaign-slot.js';
import { EtcdCampaign } from './etcd-campaign.js';
import { EtcdMemory } from './etcd-memory.js';
import { EtcdQueue } from './etcd-queue.js';
import { EtcdConnection } from './etcd-connection.js';
import { etcdElectionKeys, type EtcdElectionKeys } from './etcd-election-keys.js';
import {
  type EtcdElectionOptions,
  type ResolvedEtcdElectionOptions,
  resolveEtcdElectionOptions,
} from './etcd-election-options.js';

/**
 * Elects over a queue in etcd 3.4 or newer. Every candidate has a lease, and a key that lives as long as the lease. The candidate
 * whose key was created first leads; the revision at which its key was created is the term. Each candidate waits for the key
 * before its own, so that the end of a leader wakes only its successor.
 *
 * A leader may act until 98 % of its lease's length after it sent a renewal that a majority of the cluster confirmed. A leader
 * that is killed, freezes or is cut off is replaced when its lease expires. A leader that resigns is replaced at once.
 *
 * The backend has one connection, to one member of the cluster. When it fails, the backend connects to the next member.
 */
export class EtcdElectionBackend implements ElectionBackend {
  readonly name = 'etcd';
  private readonly options: ResolvedEtcdElectionOptions;
  private readonly keys: EtcdElectionKeys;
  private readonly connection: EtcdConnection;
  private readonly queue: EtcdQueue;
  private readonly memory = new EtcdMemory();
  private readonly slot: CampaignSlot<EtcdCampaign>;

  /** Throws a `RangeError` that names all options that are wrong. Connects with the first campaign. */
  constructor(options: EtcdElectionOptions) {
    this.options = resolveEtcdElectionOptions(options);
    const { etcd, lockName, lockTtl, commandTimeout, random } = this.options;
    this.slot = new CampaignSlot(this.options.clock);
    this.keys = etcdElectionKeys(lockName);
    this.connection = new EtcdConnection(etcd, commandTimeout, random);
    this.queue = new EtcdQueue(this.connection, this.keys, lockTtl / 1_000);
  }

  get lockTtl(): number {
    return this.options.lockTtl;
  }

  campaign({ id: candidateId }: Candidate, consumer: AbortSignal): AsyncGenerator<ElectionState> {
    const { queue, keys, options, memory } = this;
    return this.slot.run(
      consumer,
      (signal) => new EtcdCampaign({ queue, keys, options, memory, candidateId, signal, consumer }),
    );
  }

  async resign(): Promise<void> {
    await this.slot.current?.resign();
  }

  async close(): Promise<void> {
    await this.slot.close(this.options.commandTimeout);
    this.connection.close();
  }
}
