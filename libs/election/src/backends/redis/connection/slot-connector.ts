import { connect, Socket } from 'node:net';
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls';
import { AbstractConnector, type RedisOptions } from 'ioredis';
import type { SlotTopology } from './slot-topology.js';

type Connector = NonNullable<RedisOptions['Connector']>;

/**
 * Connects a plain connection of ioredis to the node that serves one slot of a cluster. Looks that node up at every dial.
 *
 * All keys are in one slot, so one plain connection is enough. ioredis' own `Cluster` queues commands while a node is
 * unavailable, and sends commands again that may have been applied.
 */
class SlotConnector extends AbstractConnector {
  private readonly options: RedisOptions;
  private attempt = new AbortController();

  constructor(
    options: unknown,
    private readonly topology: SlotTopology,
  ) {
    super((options as RedisOptions).disconnectTimeout!);
    this.options = options as RedisOptions;
  }

  /** Rejects a demoted node. */
  override check(info: { readonly role?: string }): boolean {
    return info.role !== 'slave';
  }

  override disconnect(): void {
    this.attempt.abort();
    super.disconnect();
  }

  /** Never rejects, which would be the end of the client: a stream that is closed already counts as a failed dial. */
  async connect(): Promise<Socket> {
    this.attempt = new AbortController();
    const { signal } = this.attempt;
    this.connecting = true;
    this.firstError = undefined;
    try {
      const owner = await this.topology.owner(signal);
      if (signal.aborted) return this.closed();
      const { tls, family } = this.options;
      const address = { ...owner, family };
      this.stream = tls ? connectSecurely({ ...address, ...tls } as ConnectionOptions) : connect(address);
      this.stream.once('error', (error) => (this.firstError = error));
      return this.stream;
    } catch (error) {
      if (!signal.aborted) this.firstError = error as Error;
      return this.closed();
    }
  }

  private closed(): Socket {
    this.stream = new Socket().destroy();
    return this.stream;
  }
}

/** What ioredis takes as its option `Connector`. */
export function slotConnector(topology: SlotTopology): Connector {
  return class extends SlotConnector {
    constructor(options: unknown) {
      super(options, topology);
    }
  };
}

export function isSlotConnector(connector: RedisOptions['Connector']): boolean {
  return connector !== undefined && connector.prototype instanceof SlotConnector;
}
