import type { Clock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/internal';
import type { RDatum } from 'rethinkdb-ts';
import type { RethinkSession } from './rethink-session.js';

/** The entity to create: a database, or a table in one. */
export type RethinkEntity = { readonly name: string } | { readonly name: string; readonly db: string };

interface InsertResult {
  readonly generated_keys?: readonly string[];
  readonly errors: number;
  readonly first_error?: string;
}

/** The server itself waits up to 10 s for a new table. Milliseconds. */
export const CREATION_TIMEOUT = 15_000;

/** Time after which all servers know each other's tables. Milliseconds. */
const SETTLE = 500;

/** How often a creator looks for others before it removes its own entity in favour of one whose creator may have stopped looking. */
const LOOKS = 4;

/** How long to tolerate two entities of one name, because a creator may be about to remove its own. Milliseconds. */
const TIMEOUT = 10_000;

/**
 * Creates exactly one database and one table, even if several processes do so at once.
 *
 * `tableCreate` first looks and then creates, and two servers do not see each other's tables at once. So several tables of one
 * name can be created, no query can use them, and none of the creators fails. This class instead inserts into the system table,
 * which is atomic on one server, looks again after a moment, and removes its own table unless it is the first by its key. Without
 * the right to do so, it uses `tableCreate`. No process uses a table before it was the only one in two looks.
 */
export class RethinkCreation {
  constructor(
    private readonly session: RethinkSession,
    private readonly clock: Clock,
  ) {}

  /** Rejects when several entities of one name remain. */
  async ensure(db: string, table: string): Promise<void> {
    const entities = [{ name: db }, { name: table, db }];
    const until = this.clock.now() + TIMEOUT;
    for (let looks = 0; looks < 2;) {
      try {
        const wrong = await this.findWrong(entities);
        looks = wrong ? 0 : looks + 1;
        if (wrong?.found === 0) await this.make(wrong.entity);
        else if (wrong) throw new AmbiguousNameError(wrong.entity, wrong.found);
      } catch (error) {
        // Another process is about to remove one of the two, possibly with its content.
        const transient = error instanceof AmbiguousNameError || isUnsettled(error as Error);
        if (!transient || this.clock.now() >= until) throw error;
        looks = 0;
      }
      if (looks < 2) await pause(SETTLE, this.clock);
    }
  }

  /** Returns the first entity that does not exist exactly once. */
  private async findWrong(entities: readonly RethinkEntity[]) {
    for (const entity of entities) {
      const found = await this.count(entity);
      if (found !== 1) return { entity, found };
    }
    return undefined;
  }

  private async count(entity: RethinkEntity): Promise<number> {
    const { r } = this.session;
    const list = 'db' in entity ? r.db(entity.db).tableList() : r.dbList();
    const names = await this.run<string[]>(list as unknown as RDatum);
    return names.filter((name) => name === entity.name).length;
  }

  private async make(entity: RethinkEntity): Promise<void> {
    try {
      const id = await this.insert(entity);
      if (id !== undefined) await this.settle(entity, id);
    } catch (error) {
      if ((error as Error).name !== 'ReqlPermissionError') throw error;
      await this.create(entity);
    }
  }

  /** Resolves with the key of the new entity; `undefined` when one of that name exists. */
  private async insert(entity: RethinkEntity): Promise<string | undefined> {
    const result = await this.run<InsertResult>(this.config(entity).insert(entity) as unknown as RDatum);
    if (result.errors === 0) return result.generated_keys![0]!;
    if (result.first_error?.includes('already exists')) return undefined;
    throw new Error(`RethinkDB refused to create ${textOf(entity)}: ${result.first_error}`);
  }

  private async settle(entity: RethinkEntity, id: string): Promise<void> {
    for (let look = 1; ; look++) {
      await pause(SETTLE, this.clock);
      const ids = await this.idsOf(entity);
      if (ids.length < 2) return;
      if (ids[0] === id && look < LOOKS) continue;
      await this.run(this.config(entity).get(id).delete() as unknown as RDatum);
      return;
    }
  }

  private async idsOf(entity: RethinkEntity): Promise<string[]> {
    const rows = this.config(entity).filter(entity).coerceTo('array');
    const found = await this.run<{ id: string }[]>(rows as unknown as RDatum);
    return found.map(({ id }) => id).sort();
  }

  private async create(entity: RethinkEntity): Promise<void> {
    const { r } = this.session;
    const query = 'db' in entity ? r.db(entity.db).tableCreate(entity.name) : r.dbCreate(entity.name);
    try {
      await this.run(query as unknown as RDatum);
    } catch (error) {
      const { name, message } = error as Error;
      if (name !== 'ReqlOpFailedError' || !message.includes('already exists')) throw error;
    }
  }

  private config(entity: RethinkEntity) {
    return this.session.r.db('rethinkdb').table('db' in entity ? 'table_config' : 'db_config');
  }

  private run<Result>(query: RDatum): Promise<Result> {
    return this.session.run<Result>(query, CREATION_TIMEOUT);
  }
}

const textOf = (entity: RethinkEntity) =>
  'db' in entity ? `table ${entity.db}.${entity.name}` : `database ${entity.name}`;

function isUnsettled({ name, message }: Error): boolean {
  return name === 'ReqlOpFailedError' && /is ambiguous|does not exist/.test(message);
}

class AmbiguousNameError extends Error {
  override readonly name = 'AmbiguousNameError';

  constructor(entity: RethinkEntity, found: number) {
    const system = 'db' in entity ? 'table_config' : 'db_config';
    super(
      `RethinkDB has ${found} of ${textOf(entity)}, so that no query can use any: delete all but one of their rows in ` +
        `rethinkdb.${system}`,
    );
  }
}
