import { doubling } from '@detector-cluster/election/internal';
import { randomUUID } from 'node:crypto';
import { NoMasterError, MasterRequestError } from '../shared/master-errors.js';
import type { MasterMethod, MasterMethods } from './master-methods.js';
import { parseReply, fromWireError, type MasterReply, type MasterRequest } from './request-message.js';

type Answer = Exclude<MasterReply, { state: 'working' }>;

/** One call that waits for its answer. */
class PendingCall {
  answer: Answer | null = null;
  closed = false;
  /** When the master last reported progress. Monotonic milliseconds. */
  workingAt: number | null = null;
  private wakeUp: () => void = () => undefined;

  take(reply: MasterReply): void {
    if (reply.state === 'working') {
      this.workingAt = performance.now();
      return;
    }
    this.answer ??= reply;
    this.wakeUp();
  }

  close(): void {
    this.closed = true;
    this.wakeUp();
  }

  /** Ends the present {@link wait}, because the call should repeat its request at once. */
  wake(): void {
    this.wakeUp();
  }

  /** Resolves when there is something to do, after `ms` at the latest. */
  wait(ms: number): Promise<void> {
    if (this.answer !== null || this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Pauses between repetitions. Milliseconds. */
const FIRST_PAUSE = 250;
const MAX_PAUSE = 1_000;

export interface CallOptions {
  /** The method of the application's API, for messages. */
  readonly call: string;
  /** How long the call waits for any sign of a master. Milliseconds. Default 5,000. */
  readonly timeout?: number;
  /** How long the call may take in total while the master reports progress. Milliseconds. Default 30,000. */
  readonly limit?: number;
}

export interface MasterRequestClientOptions {
  readonly processId: string;
  /** Sends the request to the master; rejects when it could not be sent. */
  readonly send: (request: MasterRequest, timeout: number) => Promise<void>;
}

/** Repeats a request under one id until the master answers, so that neither a lost message nor a failover matters. */
export class MasterRequestClient {
  private readonly pending = new Map<string, PendingCall>();
  private closed = false;

  constructor(private readonly options: MasterRequestClientOptions) {}

  /**
   * @throws {NoMasterError} when no master gave a sign within `timeout`; {@link MasterRequestError} when the request failed or
   *   takes longer than `limit`; `InvalidInputError` naming the parameter; Redis errors when the request could not be sent
   */
  async call<M extends MasterMethod>(
    method: M,
    params: MasterMethods[M]['params'],
    options: CallOptions,
  ): Promise<MasterMethods[M]['result']> {
    const request: MasterRequest = { id: randomUUID(), from: this.options.processId, method, params };
    const pending = new PendingCall();
    if (this.closed) pending.close();
    this.pending.set(request.id, pending);
    try {
      return (await this.ask(request, pending, options)) as MasterMethods[M]['result'];
    } finally {
      this.pending.delete(request.id);
    }
  }

  /** Takes a message of the reply channel; ignores one that answers no pending call. */
  take(text: string): void {
    const reply = parseReply(text);
    if (reply !== null) this.pending.get(reply.id)?.take(reply);
  }

  /** Messages may have been lost, so pending calls repeat their requests at once. */
  repeat(): void {
    for (const pending of this.pending.values()) pending.wake();
  }

  /** Rejects pending and later calls. Idempotent. */
  close(): void {
    this.closed = true;
    for (const pending of this.pending.values()) pending.close();
  }

  private async ask(
    request: MasterRequest,
    pending: PendingCall,
    { call, timeout = 5_000, limit = 30_000 }: CallOptions,
  ): Promise<unknown> {
    const begun = performance.now();
    let sending = false;
    let failure: unknown;
    for (let attempt = 0; ; attempt++) {
      // The limit applies only to a master that has given a sign; until then the whole timeout applies.
      const { workingAt } = pending;
      const until = workingAt === null ? begun + timeout : Math.min(workingAt + timeout, begun + limit);
      const remaining = until - performance.now();
      if (pending.closed || remaining <= 0) break;
      if (!sending) {
        sending = true;
        this.options.send(request, remaining).then(
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
      await pending.wait(Math.min(doubling(FIRST_PAUSE, attempt, MAX_PAUSE), remaining));
      if (pending.answer?.state === 'done') return pending.answer.result;
      if (pending.answer?.state === 'failed') throw fromWireError(pending.answer.error, call);
    }
    if (pending.closed) throw new MasterRequestError(call, 'closed', 'this process is shutting down');
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
}
