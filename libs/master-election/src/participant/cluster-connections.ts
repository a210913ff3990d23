import { type ElectionBackend, type ElectionState, Elector } from '@detector-cluster/election';
import { electionKeys, PresenceConnection } from '@detector-cluster/election/internal/redis';
import { databaseOf, RedisElectionBackend } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { Cluster } from './cluster.js';
import type { ResolvedMasterElectionOptions } from '../shared/master-election-options.js';
import { candidateIdOf } from '../registry/process-entry.js';
import { ProcessRegistry } from '../registry/process-registry.js';
import type { TickRecord } from '../schedule/tick-record.js';
import { RedisTickRecord } from '../schedule/redis-tick-record.js';
import { observed } from './observed-backend.js';

export interface ClusterConnectionsOptions {
  readonly options: ResolvedMasterElectionOptions;
  /** The connection for the registry and scheduled jobs; the caller closes it. */
  readonly commands: () => Redis;
  readonly onWarning: (message: string) => void;
  /** The connection for commands opened or reopened. */
  readonly onConnected: () => void;
  /** The presence connection opened or reopened. */
  readonly onPresent: () => void;
  /** The backend reported a state. */
  readonly onState: (state: ElectionState) => void;
}

/** The parts of one process that use connections, opened together and closed together. */
export class ClusterConnections implements Cluster {
  readonly registry: ProcessRegistry;
  readonly elector: Elector;
  readonly ticks: TickRecord;
  private readonly backend: ElectionBackend;
  private readonly presence: PresenceConnection;

  constructor({
    options,
    commands: connect,
    onWarning,
    onConnected,
    onPresent,
    onState,
  }: ClusterConnectionsOptions) {
    const { redis, lockName, handoverTimeout } = options;
    const candidate = { id: candidateIdOf(options) };
    const commands = connect();
    commands.on('ready', onConnected);
    this.registry = new ProcessRegistry(commands, lockName, undefined, onWarning);
    this.ticks = new RedisTickRecord(commands, lockName);
    const { presence } = electionKeys(lockName, databaseOf(redis));
    this.presence = new PresenceConnection(redis, presence, candidate.id);
    this.presence.on('listening', onPresent);
    this.presence.checkBy(commands);
    const backend =
      options.backend ?? new RedisElectionBackend({ ...options, presence: this.presence, onWarning });
    this.backend = observed(backend, onState);
    this.elector = new Elector({ backend: this.backend, candidate, handoverTimeout });
  }

  async close(): Promise<void> {
    await this.elector.stop();
    await this.backend.close();
    this.presence.close();
  }
}
