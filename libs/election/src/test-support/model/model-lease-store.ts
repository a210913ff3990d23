import { StoreError, StoreUnreachableError } from '../../backends/redis/connection/store.error.js';
import type {
  Claimant,
  ClaimedLease,
  HeldLease,
  LeaseReply,
  LeaseStore,
} from '../../backends/redis/lease/lease-store.js';
import { type ConnectionParts, ModelConnection } from './model-connection.js';
import type { CallerOptions } from './model-server.js';

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const tooLate = () => new StoreError('TIMEOUT', 'no reply');

/** The lease store of one process, over its connection for commands, bounded in time as the real one is. */
export class ModelLeaseStore implements LeaseStore {
  readonly connection: ModelConnection;
  private readonly waiting = new Set<Waiter>();
  private readonly unanswered = new Set<Waiter>();

  /**
   * @param connected Called each time a connection was made.
   */
  constructor(
    private readonly parts: ConnectionParts,
    private readonly caller: CallerOptions,
    private readonly timeout: number,
    connected: () => void,
  ) {
    this.connection = new ModelConnection(parts, {
      ready: () => {
        connected();
        for (const { resolve } of this.waiting) resolve();
      },
      closed: () => this.abandon(),
      failed: () => {
        for (const { reject } of this.waiting) reject(new StoreUnreachableError('refused'));
      },
    });
  }

  /** Calls that have not settled. */
  get pending(): number {
    return this.waiting.size + this.unanswered.size;
  }

  acquire(claimant: Claimant, absent?: HeldLease): Promise<LeaseReply> {
    return this.bounded('acquire', () => this.parts.server.acquire(claimant, absent, this.caller));
  }

  confirm(lease: ClaimedLease): Promise<LeaseReply> {
    return this.bounded('confirm', () => this.parts.server.confirm(lease, this.caller));
  }

  read(): Promise<LeaseReply> {
    return this.bounded('look', () => this.parts.server.look(this.caller.sees));
  }

  async release(owner: string): Promise<void> {
    if (!this.connection.ready) throw new StoreError('CONNECTION_LOST', 'not connected');
    await this.call('release', () => this.parts.server.release(owner));
  }

  private async bounded(script: string, act: () => LeaseReply): Promise<LeaseReply> {
    if (!this.connection.ready)
      await this.settled(this.waiting, () => new StoreUnreachableError('connecting'));
    try {
      return (await this.call(script, act)) as LeaseReply;
    } catch (error) {
      if (error instanceof StoreError && ['TIMEOUT', 'READONLY'].includes(error.code)) this.redial();
      throw error;
    }
  }

  /** By the hash of the script, and where the server does not know it, by its text. */
  private async call(script: string, act: () => unknown): Promise<unknown> {
    const { scripts } = this.parts.server;
    const byHash = await this.answered(() => (scripts.has(script) ? { result: act() } : undefined));
    if (byHash) return byHash.result;
    return (await this.answered(() => ({ result: scripts.add(script) && act() })))?.result;
  }

  private answered(act: () => { result: unknown } | undefined): Promise<{ result: unknown } | undefined> {
    return this.settled(this.unanswered, tooLate, (answer) => this.connection.send(act, answer)) as Promise<
      { result: unknown } | undefined
    >;
  }

  /** Waits until a waiter of `among` settles, or until it has taken too long. */
  private settled(
    among: Set<Waiter>,
    tooLate: () => Error,
    begin?: (answer: (result: unknown, failed: boolean) => void) => void,
  ): Promise<unknown> {
    const { process } = this.parts;
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        if (!among.delete(waiter)) return;
        process.clearTimeout(timer);
        settle();
      };
      const waiter: Waiter = {
        resolve: () => done(() => resolve(undefined)),
        reject: (error) => done(() => reject(error)),
      };
      const timer = process.setTimeout(() => waiter.reject(tooLate()), this.timeout);
      among.add(waiter);
      begin?.((result, failed) => done(() => (failed ? reject(result as Error) : resolve(result))));
    });
  }

  private redial(): void {
    if (!this.connection.ready) return;
    this.connection.redial();
    this.abandon();
  }

  /** Without their connection, calls never get an answer. */
  private abandon(): void {
    for (const { reject } of this.unanswered) reject(new StoreError('CONNECTION_LOST', 'connection lost'));
  }
}
