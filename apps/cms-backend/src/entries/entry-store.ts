import type { ChangedRows } from '@detector-cluster/detector-cluster';
import { classifyDatabaseError, isWriteConflict } from '../stores/database-error.js';
import { Prisma, type PrismaClient } from '../generated/prisma/client.js';
import { type Precondition, requireMatch, withEtag } from '../http/etag.js';
import { noteChange } from '../http/audit-trail.js';
import { type Page, pageArguments, type PageQuery, toPage } from '../http/pagination.js';
import type { ProblemIssue, Users } from '../http/problem.js';
import { problems } from '../http/problems.js';
import { type DesiredDifference, differenceOf, displaysIn, readDesired } from './desired-difference.js';
import { type Client, type EntryKind, type EntryRow, rowsOf, valueOf } from './entry-kind.js';
import type { ImpactForecast } from './impact-forecast.js';
import type { Impact, PutEntry, PutResult, Removal } from './entries.schema.js';
import { carryOutPut, planPut, type PutItem, type PutOptions } from './put-entries.js';

/** An entry as the API shows it. */
export interface EntryView {
  readonly etag: string;
}

export interface RemoveOptions {
  readonly precondition: Precondition;
  /** Entries that refer to it stay and lose the reference. */
  readonly detach: boolean;
}

/** How many users of an entry are listed. */
const USERS_LISTED = 20;

/** Thrown to roll a transaction back whose result is needed without its changes. */
class DryRunDone<T> extends Error {
  constructor(readonly result: T) {
    super('a dry run writes nothing');
  }
}

/** The entries of one kind in the database. After each committed write the Prisma client has the master read it again. */
export class EntryStore {
  /** @param check finds the problems of an item that a schema cannot find */
  constructor(
    private readonly prisma: PrismaClient,
    private readonly kind: EntryKind,
    private readonly forecast: ImpactForecast,
    private readonly check: (item: object) => readonly ProblemIssue[],
  ) {}

  async list(query: PageQuery): Promise<Page<EntryView>> {
    const rows = await this.rows(this.prisma).findMany(pageArguments(query, this.kind.where(query)));
    return toPage(rows, query, (row) => this.view(row));
  }

  async read(key: unknown): Promise<EntryView> {
    return this.view(await this.find(this.prisma, key));
  }

  /** @throws 422 with each field that the check refuses */
  async add(data: object): Promise<EntryView> {
    this.refuseProblems(data);
    return this.view(await this.rows(this.prisma).create({ data }));
  }

  /** @throws 422 as {@link add} does */
  async change(key: unknown, data: object, precondition: Precondition): Promise<EntryView> {
    this.refuseProblems(data);
    const run = async (tx: Prisma.TransactionClient) => {
      const stored = this.view(await this.find(tx, key));
      requireMatch(precondition, stored.etag, this.called(key));
      return [stored, this.view(await this.rows(tx).update({ where: this.where(key), data }))] as const;
    };
    // A change of any version waits for others, and does not fail because of them.
    const isolation = precondition === null ? 'ReadCommitted' : 'Serializable';
    const [before, after] = await inTransaction(this.prisma, isolation, run);
    noteChange(before);
    return after;
  }

  async remove(key: unknown, { precondition, detach }: RemoveOptions): Promise<void> {
    const isolation = precondition === null && this.kind.users === null ? 'ReadCommitted' : 'Serializable';
    const before = await inTransaction(this.prisma, isolation, async (tx) => {
      const row = await this.find(tx, key);
      requireMatch(precondition, this.view(row).etag, this.called(key));
      const users = await this.usersOf(tx, row);
      if (users.total > 0 && !detach) throw problems.inUse(this.called(key), users);
      await this.rows(tx).delete({ where: { id: row.id } });
      return this.view(row);
    });
    noteChange(before);
  }

  /** The effect of {@link remove} with `detach`. */
  async previewRemoval(key: unknown): Promise<Removal> {
    const { etag, usedBy, difference } = await this.dryRun(async (tx) => {
      const row = await this.find(tx, key);
      const usedBy = await this.usersOf(tx, row);
      const difference = await this.difference(tx, this.changed([row]), async () => {
        await this.rows(tx).delete({ where: { id: row.id } });
        return {};
      });
      return { etag: this.view(row).etag, usedBy, difference };
    });
    return { etag, usedBy, impact: await this.forecast.of(difference) };
  }

  /** Adds the items that do not exist and changes the others: all of them or none. */
  async put(items: readonly PutItem[], options: PutOptions): Promise<PutResult> {
    if (!options.dryRun) {
      const { steps, written } = await serializable(this.prisma, async (tx) => {
        const plan = await planPut(tx, this.kind, this.check, items, options);
        return { steps: plan.steps, written: await carryOutPut(tx, this.kind, plan) };
      });
      noteChange(
        steps.flatMap(({ row, outcome }) => (row === null || outcome === 'unchanged' ? [] : this.view(row))),
        written.map((row) => this.view(row)),
      );
      return summaryOf(steps, null);
    }
    const { steps, difference } = await this.dryRun(async (tx) => {
      const plan = await planPut(tx, this.kind, this.check, items, options);
      const difference = await this.difference(tx, this.changed(plan.existing), async () =>
        this.changed(await carryOutPut(tx, this.kind, plan)),
      );
      return { steps: plan.steps, difference };
    });
    return summaryOf(steps, await this.forecast.of(difference));
  }

  /** The desired state before and after `change`, which resolves with the rows that it has written. */
  private async difference(
    tx: Client,
    rows: ChangedRows,
    change: () => Promise<ChangedRows>,
  ): Promise<DesiredDifference> {
    const before = await readDesired(tx, rows);
    const written = await change();
    const displays = new Set([...displaysIn(before.state), ...(written.displays ?? [])]);
    const after = await readDesired(tx, { ...written, displays: [...displays] });
    return { ...differenceOf(before.state, after.state), complete: before.complete && after.complete };
  }

  private dryRun<T>(work: (tx: Client) => Promise<T>): Promise<T> {
    const ended = serializable<never>(this.prisma, async (tx) => {
      throw new DryRunDone(await work(tx));
    });
    return ended.catch((error: unknown) => {
      if (error instanceof DryRunDone) return error.result as T;
      throw error;
    });
  }

  private refuseProblems(data: object): void {
    const errors = this.check(data);
    if (errors.length > 0) throw problems.validation([...errors]);
  }

  private async find(client: Client, key: unknown): Promise<EntryRow> {
    const row = await this.rows(client).findUnique({ where: this.where(key) });
    if (row === null) throw problems.notFound(`there is no ${this.kind.name} ${JSON.stringify(key)}`);
    return row;
  }

  private async usersOf(client: Client, row: EntryRow): Promise<Users> {
    const { users, pathKey } = this.kind;
    if (users === null) return { total: 0, items: [] };
    const { kind, field, nameKey } = users;
    const where = { [field]: valueOf(row, pathKey) };
    const first = { where, take: USERS_LISTED, orderBy: { [nameKey]: 'asc' } };
    return {
      total: await rowsOf(client, kind).count({ where }),
      items: (await rowsOf(client, kind).findMany(first)).map((user) => ({
        kind,
        key: String(valueOf(user, nameKey)),
      })),
    };
  }

  /** The hint which part of the desired state to read again. */
  private changed(rows: readonly EntryRow[]): ChangedRows {
    const { name, pathKey } = this.kind;
    return { [`${name}s`]: rows.map((row) => valueOf(row, pathKey)) };
  }

  private rows(client: Client) {
    return rowsOf(client, this.kind.name);
  }

  private where(key: unknown): object {
    return { [this.kind.pathKey]: key };
  }

  private view(row: EntryRow): EntryView {
    return withEtag(this.kind.toView(row));
  }

  private called(key: unknown): string {
    return `the ${this.kind.name} ${JSON.stringify(key)}`;
  }
}

function summaryOf(steps: readonly PutEntry[], impact: Impact | null): PutResult {
  const count = (wanted: PutEntry['outcome']) => steps.filter(({ outcome }) => outcome === wanted).length;
  return {
    dryRun: impact !== null,
    created: count('created'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    items: steps.map(({ key, outcome, etag }) => ({ key, outcome, etag })),
    impact,
  };
}

/** A transaction fails after it has lost against others this often. */
const ATTEMPTS = 5;

/** A thousand entries take a second or two. Milliseconds. */
const TIMEOUT = 20_000;

type Work<T> = (tx: Prisma.TransactionClient) => Promise<T>;

/** Runs `work` as if no other transaction ran at the same time. */
const serializable = <T>(prisma: PrismaClient, work: Work<T>): Promise<T> =>
  inTransaction(prisma, 'Serializable', work);

/** Runs `work` again if another transaction has changed, or removed, what it has read. */
async function inTransaction<T>(
  prisma: PrismaClient,
  isolationLevel: Prisma.TransactionIsolationLevel,
  work: Work<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await prisma.$transaction(work, { isolationLevel, timeout: TIMEOUT });
    } catch (error) {
      if (attempt === ATTEMPTS || !hasLost(error)) throw error;
    }
}

/** Against another transaction, which has changed or removed a row. */
const hasLost = (error: unknown): boolean =>
  isWriteConflict(error) || classifyDatabaseError(error)?.kind === 'not-found';
