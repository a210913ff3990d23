import { boundedCall, type SharedSubscriber } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { MasterRequestClient, type CallOptions } from './master-request-client.js';
import type { MasterMethod, MasterMethods } from './master-methods.js';
import { MasterRequestServer, type MasterRequestServerOptions } from './master-request-server.js';
import { parseRequest, type MasterRequest } from './request-message.js';

export interface MasterRequestsOptions extends MasterRequestServerOptions {
  /** Listens; the caller closes it. */
  readonly subscriber: Pick<SharedSubscriber, 'listen'>;
  /** Sends; a connection of `commandSettings`. The caller closes it. */
  readonly publisher: Redis;
  readonly keys: Pick<ClusterKeys, 'masterRequests' | 'replies'>;
  readonly processId: string;
  /** Called for the first message that is not a request; later ones are counted in {@link MasterRequests.invalid} only. */
  readonly onInvalid?: () => void;
}

/**
 * Requests to the master over Redis, and its answers: both ends, because any process may become master. While this process
 * is master, its own requests take the same path without Redis.
 *
 * A request goes to `worker:master:requests`, the answer to `worker:replies:<process id>`. Both may get lost, so the caller
 * repeats the request.
 */
export class MasterRequests {
  /** Number of messages that were not requests. */
  invalid = 0;
  private readonly server: MasterRequestServer;
  private readonly client: MasterRequestClient;
  private leave: (() => void) | undefined;
  private closed = false;

  constructor(private readonly options: MasterRequestsOptions) {
    this.server = new MasterRequestServer(options);
    this.client = new MasterRequestClient({
      processId: options.processId,
      send: (request, timeout) => this.send(request, timeout),
    });
  }

  /** Begins to listen; returns at once, whether Redis is available or not. Idempotent. */
  open(): void {
    if (this.closed || this.leave) return;
    const { keys, processId, subscriber } = this.options;
    this.leave = subscriber.listen(
      {
        [keys.masterRequests]: (text) => this.serve(text),
        [keys.replies(processId)]: (text) => this.client.take(text),
      },
      () => this.client.repeat(),
    );
  }

  /** See {@link MasterRequestClient.call}. */
  call<M extends MasterMethod>(
    method: M,
    params: MasterMethods[M]['params'],
    options: CallOptions,
  ): Promise<MasterMethods[M]['result']> {
    this.open();
    return this.client.call(method, params, options);
  }

  /** Rejects pending calls. Idempotent. */
  close(): void {
    this.closed = true;
    this.client.close();
    this.leave?.();
  }

  private async send(request: MasterRequest, timeout: number): Promise<void> {
    const { keys, publisher } = this.options;
    if (this.server.leads) this.server.take(request, (text) => this.client.take(text));
    else
      await boundedCall(publisher, timeout, () =>
        publisher.publish(keys.masterRequests, JSON.stringify(request)),
      );
  }

  private serve(text: string): void {
    if (!this.server.listens) return;
    const request = parseRequest(text);
    if (request === null) {
      if (++this.invalid === 1) this.options.onInvalid?.();
      return;
    }
    const { keys, publisher } = this.options;
    this.server.take(request, (answer) => {
      // If an answer cannot be sent, the next repetition of the request gets it again.
      publisher.publish(keys.replies(request.from), answer).catch(() => undefined);
    });
  }
}
