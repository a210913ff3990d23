import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { NOTHING, ReqlError, type Datum, type Row } from './answers.js';

export interface TestChange {
  readonly old_val: Row | null;
  readonly new_val: Row | null;
}

/** Documents by primary key, and the listeners to their changes. */
export class TestTable extends EventEmitter<{ change: [change: TestChange]; dropped: [] }> {
  private readonly rows = new Map<string, Row>();

  constructor() {
    super();
    this.setMaxListeners(0);
  }

  get(key: string): Row | null {
    return this.rows.get(key) ?? null;
  }

  /** @param row `null` removes the document. */
  set(key: string, row: Row | null): void {
    const before = this.get(key);
    if (row) this.rows.set(key, row);
    else this.rows.delete(key);
    this.emit('change', { old_val: before, new_val: row });
  }
}

/** A row of `db_config`, or of `table_config` when it has a table. */
interface ConfigRow {
  readonly id: string;
  readonly name: string;
  /** Name of the database of a table. */
  readonly db?: string;
  readonly table?: TestTable;
  /** The server that created it. */
  readonly server: number;
  readonly at: number;
}

export type SystemTable = 'db_config' | 'table_config';

/** The data of a cluster. The other servers learn of a new table or database only after a while. */
export class TestTables {
  /** Length of that delay. Milliseconds. */
  lag = 0;
  private rows: ConfigRow[] = [{ id: randomUUID(), name: 'test', server: 0, at: -Infinity }];

  /** The data as one server knows it. */
  of(server: number): ServerTables {
    return new ServerTables(this, server);
  }

  known(server: number): readonly ConfigRow[] {
    return this.rows.filter((row) => row.server === server || Date.now() - row.at >= this.lag);
  }

  add(row: Pick<ConfigRow, 'name' | 'db'>, server: number): string {
    const id = randomUUID();
    const table = row.db === undefined ? undefined : new TestTable();
    this.rows.push({ ...row, table, id, server, at: Date.now() });
    return id;
  }

  remove({ id, table }: ConfigRow): void {
    this.rows = this.rows.filter((row) => row.id !== id);
    table?.emit('dropped');
  }
}

export class ServerTables {
  constructor(
    private readonly all: TestTables,
    private readonly server: number,
  ) {}

  databases(): string[] {
    return this.find({}).map(({ name }) => name);
  }

  names(db: string): string[] {
    this.database(db);
    return this.find({ db }).map(({ name }) => name);
  }

  createDatabase(name: string): Datum {
    if (this.find({ name }).length > 0) throw failed(`Database \`${name}\` already exists.`);
    this.all.add({ name }, this.server);
    return { dbs_created: 1 };
  }

  /** The server first checks and then creates. */
  async create(db: string, name: string): Promise<Datum> {
    this.database(db);
    if (this.find({ db, name }).length > 0) throw failed(`Table \`${db}.${name}\` already exists.`);
    await sleep(5);
    this.all.add({ db, name }, this.server);
    return { tables_created: 1 };
  }

  drop(db: string, name: string): Datum {
    this.all.remove(this.only(db, name));
    return { tables_dropped: 1 };
  }

  dropDatabase(name: string): Datum {
    const [database] = this.find({ name });
    if (!database) throw failed(`Database \`${name}\` does not exist.`);
    for (const row of this.find({ db: name })) this.all.remove(row);
    this.all.remove(database);
    return { dbs_dropped: 1 };
  }

  table(db: string, name: string): TestTable {
    return this.only(db, name).table!;
  }

  /** A write to a system table is atomic on one server. */
  insertConfig(system: SystemTable, { name, db }: { readonly name: string; readonly db?: string }): Datum {
    const where = system === 'table_config' ? { db, name } : { name };
    const what = system === 'table_config' ? `Table \`${db}.${name}\`` : `Database \`${name}\``;
    if (this.find(where).length > 0) return { ...NOTHING, errors: 1, first_error: `${what} already exists.` };
    return { ...NOTHING, inserted: 1, generated_keys: [this.all.add(where, this.server)] };
  }

  deleteConfig(id: string): Datum {
    const row = this.all.known(this.server).find((each) => each.id === id);
    if (!row) return { ...NOTHING, skipped: 1 };
    this.all.remove(row);
    return { ...NOTHING, deleted: 1 };
  }

  config(system: SystemTable): Row[] {
    return this.all
      .known(this.server)
      .filter(({ table }) => (table !== undefined) === (system === 'table_config'))
      .map(({ id, name, db }) => ({ id, name, ...(db !== undefined && { db }) }));
  }

  /** Creates another table of the same name, as a server does that does not know of the first. */
  addTwin(db: string, name: string): void {
    this.all.add({ db, name }, this.server);
  }

  private database(db: string): void {
    const found = this.find({ name: db }).length;
    if (found === 0) throw failed(`Database \`${db}\` does not exist.`);
    if (found > 1)
      throw failed(`Database \`${db}\` is ambiguous; there are multiple databases with that name.`);
  }

  private only(db: string, name: string): ConfigRow {
    this.database(db);
    const found = this.find({ db, name });
    if (found.length === 0) throw failed(`Table \`${db}.${name}\` does not exist.`);
    if (found.length > 1)
      throw failed(`Table \`${db}.${name}\` is ambiguous; there are multiple tables with that name.`);
    return found[0]!;
  }

  private find({ db, name }: { readonly db?: string; readonly name?: string }): ConfigRow[] {
    return this.all
      .known(this.server)
      .filter((row) => row.db === db && (name === undefined || row.name === name));
  }
}

const failed = (message: string) => new ReqlError(message, 'OP_FAILED');
