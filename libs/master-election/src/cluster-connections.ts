import { Elector, type ElectionBackend } from '@detector-cluster/election';
import {
  closeRedis,
  commandSettings,
  openRedis,
  RedisElectionBackend,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { ResolvedMasterElectionOptions } from './options/master-election-options.js';
import { PresenceConnection } from './registry/presence-connection.js';
import { candidateIdOf } from './registry/process-entry.js';
import { ProcessRegistry } from './registry/process-registry.js';
import { presenceChannel } from './registry/registry-keys.js';

interface ClusterConnectionsOptions {
  readonly options: ResolvedMasterElectionOptions;
  readonly onWarning: (message: string) => void;
  /** The connection of the registry was made, or made anew. */
  readonly onConnected: () => void;
}

/** Everything of one process that holds a socket, opened together and closed together. */
export class ClusterConnections {
  readonly registry: ProcessRegistry;
  readonly elector: Elector;
  private readonly commands: Redis;
  private readonly backend: ElectionBackend;
  private readonly options: ResolvedMasterElectionOptions;
  private presence: PresenceConnection | undefined;

  constructor({ options, onWarning, onConnected }: ClusterConnectionsOptions) {
    this.options = options;
    const { redis, lockName } = options;
    this.commands = openRedis(redis, commandSettings);
    this.commands.on('ready', onConnected);
    this.registry = new ProcessRegistry(this.commands, lockName);
    this.backend = options.backend ?? new RedisElectionBackend({ ...options, onWarning });
    this.elector = new Elector({ backend: this.backend, candidate: { id: candidateIdOf(options) } });
  }

  /** Shows that this process lives, from now on. */
  showPresence(onPresent: () => void): void {
    const { redis, lockName, nodeId } = this.options;
    this.presence ??= new PresenceConnection(redis, presenceChannel(lockName, nodeId), onPresent);
  }

  async close(): Promise<void> {
    await this.elector.stop();
    await this.backend.close();
    this.presence?.close();
    closeRedis(this.commands);
  }
}
