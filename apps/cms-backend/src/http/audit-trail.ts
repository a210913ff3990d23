import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { redactText } from '@detector-cluster/detector-cluster/redact';
import { Repeater, settlesWithin } from '@detector-cluster/election/internal';
import { MasterElection } from '@detector-cluster/master-election';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Prisma, PrismaClient } from '../generated/prisma/client.js';
import { classifyDatabaseError } from '../stores/database-error.js';
import { PRISMA } from '../stores/prisma-client.js';
import { storable } from '../stores/storable.js';
import type { IdentifiedRequest } from './api-key.guard.js';
import type { Problem } from './problem.js';

type Row = Prisma.AuditEntryCreateManyInput;

/** How many entries wait while the database is unavailable. Beyond it, the oldest are only in the log. */
export const MAX_WAITING = 1_000;

/** An answer waits at most so long for its entry to be stored. Milliseconds. */
const MAX_WAIT = 1_000;

/** Between two attempts. Milliseconds. */
const PAUSE = 1_000;

/** How long the process waits at its end for the last entries. Milliseconds. */
const LAST_WRITE = 2_000;

interface Change {
  before?: object | null;
  after?: object | null;
}

interface Result extends Change {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Why it was refused; null: it was carried out. */
  readonly problem?: string | null;
}

const changes = new AsyncLocalStorage<Change>();

/** Carries out an action, and resolves with its answer and with what it has noted. */
export async function observed<T extends object | undefined>(
  action: () => Promise<T>,
): Promise<Change & { readonly answer: T }> {
  const change: Change = {};
  const answer = await changes.run(change, action);
  return { answer, after: answer, ...change };
}

/** Notes what the request in progress has changed, without secrets. Default `after`: the answer to the request. */
export function noteChange(before: object | null, after?: object): void {
  Object.assign(changes.getStore() ?? {}, { before, ...(after !== undefined && { after }) });
}

/**
 * Keeps each action of an operator in the database: who, when, from where, what, with which result, and what was before and after.
 * Nothing is cut and nothing is deleted.
 */
@Injectable()
export class AuditTrail implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger('Audit');
  private waiting: Row[] = [];
  private readonly ending = new AbortController();
  private readonly writes = new Repeater({
    signal: this.ending.signal,
    run: () => this.write(),
    onError: () => this.writes.poke(PAUSE),
  });

  constructor(
    @Inject(PRISMA) private readonly prisma: PrismaClient,
    private readonly election: MasterElection,
  ) {}

  /** An action was not carried out. Resolves as {@link add} does. */
  refused(request: IdentifiedRequest, { status, detail, errors = [] }: Problem): Promise<void> {
    const issues = errors.map((issue) => `${issue.pointer ?? issue.parameter ?? ''}: ${issue.detail}`);
    return this.add(request, { status, problem: storable(redactText(issues.join('; ') || detail)) });
  }

  /**
   * Resolves when the entry is stored, or when the database does not take it in time: then it is stored later. Does nothing unless the
   * request is an action.
   */
  async add(
    { action, caller, ip, method, originalUrl }: IdentifiedRequest,
    { status, problem = null, before, after }: Result,
  ): Promise<void> {
    if (action === undefined || caller === undefined) return;
    const address = ip ?? '';
    this.logger.log(`${caller.name} from ${address}: ${method} ${originalUrl}: ${status}`);
    this.waiting.push({
      entryId: randomUUID(),
      at: new Date(),
      by: storable(caller.name),
      address,
      processId: this.election.getNodeId(),
      action: action.name,
      target: action.targets.length === 0 ? null : storable(redactText(action.targets.join(', '))),
      status,
      problem,
      ...(before != null && { before }),
      ...(after != null && { after }),
    });
    if (this.waiting.length > MAX_WAITING) this.waiting.shift();
    await this.stored(MAX_WAIT);
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.waiting.length > 0) await this.stored(LAST_WRITE);
  }

  /** Requests in progress have added their entries by then. */
  onApplicationShutdown(): void {
    this.ending.abort();
  }

  /** Resolves when the entries that wait are stored, after `limit` ms at the latest. */
  private async stored(limit: number): Promise<void> {
    await settlesWithin(this.writes.next(), limit);
  }

  private async write(): Promise<void> {
    const rows = this.waiting;
    if (rows.length === 0) return;
    this.waiting = [];
    try {
      // If only the answer was lost, the entries are there already.
      await this.prisma.auditEntry.createMany({ data: rows, skipDuplicates: true });
    } catch (error) {
      if (classifyDatabaseError(error)?.kind !== 'unavailable')
        this.logger.warn(`${rows.length} entries are only in this log: ${String(error)}`);
      else this.waiting = [...rows, ...this.waiting].slice(-MAX_WAITING);
      throw error;
    }
  }
}
