import { EventEmitter } from 'node:events';
import { ReqlError, type Datum } from './reql.js';

type Row = Record<string, Datum>;

export interface TestChange {
  readonly old_val: Row | null;
  readonly new_val: Row | null;
}

/** Documents by primary key, and those who listen to their changes. */
export class TestTable extends EventEmitter<{ change: [change: TestChange] }> {
  private readonly rows = new Map<string, Row>();

  constructor() {
    super();
    this.setMaxListeners(0);
  }

  get(key: string): Row | null {
    return this.rows.get(key) ?? null;
  }

  /** @param row `null` takes it away. */
  set(key: string, row: Row | null): void {
    const before = this.get(key);
    if (row) this.rows.set(key, row);
    else this.rows.delete(key);
    this.emit('change', { old_val: before, new_val: row });
  }
}

export class TestTables {
  private readonly all = new Map<string, Map<string, TestTable>>([['test', new Map()]]);

  databases(): string[] {
    return [...this.all.keys()];
  }

  createDatabase(db: string): Datum {
    if (this.all.has(db)) throw new ReqlError(`Database \`${db}\` already exists`);
    this.all.set(db, new Map());
    return { dbs_created: 1 };
  }

  names(db: string): string[] {
    return [...this.database(db).keys()];
  }

  create(db: string, name: string): Datum {
    if (this.database(db).has(name)) throw new ReqlError(`Table \`${db}.${name}\` already exists`);
    this.database(db).set(name, new TestTable());
    return { tables_created: 1 };
  }

  drop(db: string, name: string): Datum {
    this.database(db).delete(name);
    return { tables_dropped: 1 };
  }

  table(db: string, name: string): TestTable {
    const table = this.database(db).get(name);
    if (!table) throw new ReqlError(`Table \`${db}.${name}\` does not exist`);
    return table;
  }

  private database(db: string): Map<string, TestTable> {
    const database = this.all.get(db);
    if (!database) throw new ReqlError(`Database \`${db}\` does not exist`);
    return database;
  }
}
