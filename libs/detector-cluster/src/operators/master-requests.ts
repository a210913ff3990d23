import { systemClock } from '@detector-cluster/election';
import { Condition, doubling } from '@detector-cluster/election/internal';
import { boundedCall, type SharedSubscriber } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { NoMasterError, MasterRequestError } from '../shared/master-errors.js';
import type { MasterMethod, MasterMethods } from './master-methods.js';
import { MasterRequestServer, type MasterRequestServerOptions } from './master-request-server.js';
import {
  fromWireError,
  parseReply,
  parseRequest,
  type MasterReply,
  type MasterRequest,
} from './request-message.js';

export interface CallOptions {
  /** The method of the application's API, for messages. */
  readonly call: string;
  /** How long the call waits for any sign of a master. Milliseconds. Default 5,000. */
  readonly timeout?: number;
  /** How long the call may take in total while the master reports progress. Milliseconds. Default 30,000. */
  readonly limit?: number;
}

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

/** Pauses between repetitions. Milliseconds. */
const FIRST_PAUSE = 250;
const MAX_PAUSE = 1_000;

/** One call that waits for its answer. */
interface PendingCall {
  answer: Exclude<MasterReply, { state: 'working' }> | null;
  /** When the master last reported progress. Monotonic milliseconds. */
  workingAt: number | null;
  /** There is an answer, or the request should be repeated at once. */
  readonly woken: Condition;
}

/**
 * Requests to the master over Redis, and its answers: both ends, because any process may become master. While this process
 * is master, its own requests take the same path without Redis.
 *
 * A request goes to `worker:master:requests`, the answer to `worker:replies:<process id>`. Both may get lost, so the caller
 * repeats the request under one id until the master answers: neither a lost message nor a failover matters.
 */
export class MasterRequests {
  /** Number of messages that were not requests. */
  invalid = 0;
  private readonly server: MasterRequestServer;
  private readonly pending = new Map<string, PendingCall>();
  private readonly closed = new AbortController();
  private leave: (() => void) | undefined;

  constructor(private readonly options: MasterRequestsOptions) {
    this.server = new MasterRequestServer(options);
    setMaxListeners(0, this.closed.signal);
  }

  /** Begins to listen; returns at once, whether Redis is available or not. Idempotent. */
  open(): void {
    if (this.closed.signal.aborted || this.leave) return;
    const { keys, processId, subscriber } = this.options;
    this.leave = subscriber.listen(
      {
        [keys.masterRequests]: (text) => this.serve(text),
        [keys.replies(processId)]: (text) => this.take(text),
      },
      () => {
        // Messages may have been lost.
        for (const { woken } of this.pending.values()) woken.notify();
      },
    );
  }

  /**
   * @throws {NoMasterError} when no master gave a sign within `timeout`; {@link MasterRequestError} when the request failed or
   *   takes longer than `limit`; `InvalidInputError` naming the parameter; Redis errors when the request could not be sent
   */
  async call<M extends MasterMethod>(
    method: M,
    params: MasterMethods[M]['params'],
    options: CallOptions,
  ): Promise<MasterMethods[M]['result']> {
    this.open();
    const request: MasterRequest = { id: randomUUID(), from: this.options.processId, method, params };
    const pending: PendingCall = { answer: null, workingAt: null, woken: new Condition(systemClock) };
    this.pending.set(request.id, pending);
    try {
      return (await this.ask(request, pending, options)) as MasterMethods[M]['result'];
    } finally {
      this.pending.delete(request.id);
    }
  }

  /** Rejects pending and later calls. Idempotent. */
  close(): void {
    this.closed.abort();
    this.leave?.();
  }

  private async ask(
    request: MasterRequest,
    pending: PendingCall,
    { call, timeout = 5_000, limit = 30_000 }: CallOptions,
  ): Promise<unknown> {
    const { signal } = this.closed;
    const begun = performance.now();
    let sending = false;
    let failure: unknown;
    for (let attempt = 0; ; attempt++) {
      // The limit applies only to a master that has given a sign; until then the whole timeout applies.
      const { workingAt } = pending;
      const until = workingAt === null ? begun + timeout : Math.min(workingAt + timeout, begun + limit);
      const remaining = until - performance.now();
      if (signal.aborted || remaining <= 0) break;
      if (!sending) {
        sending = true;
        this.send(request, remaining).then(
          () => {
            sending = false;
            failure = undefined;
          },
          (error: unknown) => {
            sending = false;
            failure = error;
          },
        );
      }
      await pending.woken.wait(Math.min(doubling(FIRST_PAUSE, attempt, MAX_PAUSE), remaining), signal);
      if (pending.answer?.state === 'done') return pending.answer.result;
      if (pending.answer?.state === 'failed') throw fromWireError(pending.answer.error, call);
    }
    if (signal.aborted) throw new MasterRequestError(call, 'closed', 'this process is shutting down');
    if (failure !== undefined) throw failure;
    const { workingAt } = pending;
    if (workingAt === null || performance.now() - workingAt >= timeout)
      throw new NoMasterError(call, timeout);
    throw new MasterRequestError(
      call,
      'timeout',
      `the master is at work on it, but not done after ${limit} ms; it continues`,
    );
  }

  private async send(request: MasterRequest, timeout: number): Promise<void> {
    const { keys, publisher } = this.options;
    if (this.server.leads) this.server.take(request, (text) => this.take(text));
    else
      await boundedCall(publisher, timeout, () =>
        publisher.publish(keys.masterRequests, JSON.stringify(request)),
      );
  }

  /** Takes a message of the reply channel; ignores one that answers no pending call. */
  private take(text: string): void {
    const reply = parseReply(text);
    const pending = reply === null ? undefined : this.pending.get(reply.id);
    if (reply === null || pending === undefined) return;
    if (reply.state === 'working') {
      pending.workingAt = performance.now();
      return;
    }
    pending.answer ??= reply;
    pending.woken.notify();
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
