import { isDeepStrictEqual } from 'node:util';
import { NOTHING, ReqlError, type Datum, type Row } from './answers.js';
import type { ServerTables, SystemTable, TestTable } from './tables.js';

/** `default` replaces a value that is missing. */
class NonExistence extends ReqlError {
  constructor(message: string) {
    super(message, 'NON_EXISTENCE');
  }
}

/** The server never answers the query. */
export class Unanswered extends Error {}

interface Scope {
  readonly tables: ServerTables;
  /** This server's time, the same for a whole query. Seconds. */
  readonly now: number;
  /** Whether the user has rights to the system tables. */
  readonly admin: boolean;
  /** Whether a replica of every table is down. */
  readonly replicaDown: boolean;
  readonly variables: ReadonlyMap<number, Datum>;
}

/** A document of a table, for `replace`. */
interface Selection {
  readonly table: TestTable;
  readonly key: string;
}

type Term = readonly [code: number, args?: readonly unknown[], options?: Record<string, unknown>];
type Options = Readonly<Record<string, unknown>>;
type Operator = (args: readonly unknown[], scope: Scope, options: Options) => Datum;

const isTerm = (value: unknown): value is Term => Array.isArray(value);

/** Evaluates a query in the protocol's JSON. */
export function evaluate(value: unknown, scope: Scope): Datum {
  if (isTerm(value)) {
    const [code, args = [], options = {}] = value;
    if (code === REPLACE) return replace(args, options, scope);
    const operator = OPERATORS[code];
    if (!operator) throw new ReqlError(`the test server does not know the term ${code}`);
    return operator(args, scope, options);
  }
  if (typeof value !== 'object' || value === null) return value as Datum;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, evaluate(field, scope)]));
}

const each = (args: readonly unknown[], scope: Scope) => args.map((arg) => evaluate(arg, scope));
const numbers = (args: readonly unknown[], scope: Scope) =>
  each(args, scope).map((value) => {
    if (typeof value !== 'number') throw new ReqlError(`Expected type NUMBER but found ${typeOf(value)}.`);
    return value;
  });
const textOf = (args: readonly unknown[], index: number, scope: Scope) =>
  evaluate(args[index], scope) as string;
const compare =
  (holds: (a: Datum, b: Datum) => boolean): Operator =>
  (args, scope) => {
    const [a, b] = each(args, scope) as [Datum, Datum];
    return holds(a, b);
  };

function typeOf(value: Datum): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return 'ARRAY';
  return { boolean: 'BOOL', number: 'NUMBER', string: 'STRING' }[typeof value as string] ?? 'OBJECT';
}

/** Values of different types sort by the names of their types. */
function order(a: Datum, b: Datum): number {
  const [left, right] = typeOf(a) === typeOf(b) ? [a, b] : [typeOf(a), typeOf(b)];
  return left! < right! ? -1 : Number(left! > right!);
}

const DB = 14;
const TABLE = 15;
const GET = 16;
const REPLACE = 55;
const TABLE_CREATE = 60;
const FUNC = 69;

const OPERATORS: Readonly<Record<number, Operator>> = {
  // MAKE_ARRAY, VAR
  2: each,
  10: ([id], { variables }) => variables.get(id as number)!,
  // EQ, NE, LE, GT
  17: compare((a, b) => isDeepStrictEqual(a, b)),
  18: compare((a, b) => !isDeepStrictEqual(a, b)),
  20: compare((a, b) => order(a, b) <= 0),
  21: compare((a, b) => order(a, b) > 0),
  // NOT
  23: (args, scope) => [null, false].includes(evaluate(args[0], scope) as null | false),
  // ADD, MUL, FLOOR, MAX
  24: (args, scope) => numbers(args, scope).reduce((a, b) => a + b),
  26: (args, scope) => numbers(args, scope).reduce((a, b) => a * b),
  183: (args, scope) => Math.floor(numbers(args, scope)[0]!),
  148: (args, scope) => Math.max(...(evaluate(args[0], scope) as number[])),
  // MERGE, CONTAINS
  35: (args, scope) =>
    Object.assign(
      {},
      ...each(args, scope).map((value) => {
        if (typeOf(value) !== 'OBJECT')
          throw new ReqlError(`Expected type OBJECT but found ${typeOf(value)}.`);
        return value;
      }),
    ) as Row,
  93: (args, scope) => (evaluate(args[0], scope) as Datum[]).includes(evaluate(args[1], scope)),
  // DB_CREATE, DB_DROP, DB_LIST, TABLE_LIST, TABLE_DROP, WAIT; TABLE_CREATE is not one step
  57: (args, scope) => scope.tables.createDatabase(textOf(args, 0, scope)),
  58: (args, scope) => scope.tables.dropDatabase(textOf(args, 0, scope)),
  59: (_args, { tables }) => tables.databases(),
  62: (args, scope) => scope.tables.names(nameOf(args[0], DB, scope)),
  61: (args, scope) => scope.tables.drop(nameOf(args[0], DB, scope), textOf(args, 1, scope)),
  177(args, scope, { wait_for: readiness = 'all_replicas_ready' }) {
    tableOf(args[0], scope);
    if (scope.replicaDown && readiness === 'all_replicas_ready') throw new Unanswered();
    return { ready: 1 };
  },
  // GET
  16(args, scope) {
    const { table, key } = selectionOf([GET, args], scope);
    return table.get(key);
  },
  // FILTER by fields, COERCE_TO an array, DELETE of one row: of system tables
  39(args, scope) {
    const fields = Object.entries(evaluate(args[1], scope) as Row);
    return scope.tables
      .config(systemTableOf(args[0], scope)!)
      .filter((row) => fields.every(([name, value]) => row[name] === value));
  },
  51: (args, scope) => evaluate(args[0], scope),
  54(args, scope) {
    const [table, key] = (args[0] as Term)[1]!;
    systemTableOf(table, scope);
    return scope.tables.deleteConfig(evaluate(key, scope) as string);
  },
  // INSERT
  56(args, scope) {
    const row = evaluate(args[1], scope) as Row;
    const system = systemTableOf(args[0], scope);
    if (system) return scope.tables.insertConfig(system, row as { name: string });
    const table = tableOf(args[0], scope);
    const key = row.id as string;
    if (table.get(key)) return { ...NOTHING, errors: 1, first_error: `Duplicate primary key \`id\`: ${key}` };
    table.set(key, row);
    return { ...NOTHING, inserted: 1 };
  },
  // BRANCH, OR, AND evaluate only the arguments that they need.
  65: (args, scope) => evaluate(evaluate(args[0], scope) ? args[1] : args[2], scope),
  66: (args, scope) => args.some((arg) => evaluate(arg, scope)),
  67: (args, scope) => args.every((arg) => evaluate(arg, scope)),
  // DEFAULT, BRACKET
  92(args, scope) {
    try {
      return evaluate(args[0], scope) ?? evaluate(args[1], scope);
    } catch (error) {
      if (error instanceof NonExistence) return evaluate(args[1], scope);
      throw error;
    }
  },
  170(args, scope) {
    const [row, name] = each(args, scope) as [Row | null, string];
    if (row === null) throw new NonExistence('Cannot perform bracket on a non-object non-sequence `null`.');
    const field = row[name];
    if (field === undefined) throw new NonExistence(`No attribute \`${name}\` in object`);
    return field;
  },
  // NOW, TO_EPOCH_TIME: a time is represented by its seconds, because it is never sent.
  103: (_args, { now }) => now,
  102: (args, scope) => evaluate(args[0], scope),
};

/** The parts of a term that creates a table; `undefined` for other terms. */
export function tableToCreate(value: unknown, scope: Scope): [db: string, name: string] | undefined {
  if (!isTerm(value) || value[0] !== TABLE_CREATE) return undefined;
  return [nameOf(value[1]![0], DB, scope), textOf(value[1]!, 1, scope)];
}

/** The system table that a term selects, if it does. */
function systemTableOf(value: unknown, scope: Scope): SystemTable | undefined {
  if (!isTerm(value) || value[0] !== TABLE) throw new ReqlError('Expected type TABLE');
  const [db, name] = value[1]!;
  if (nameOf(db, DB, scope) !== 'rethinkdb') return undefined;
  if (!scope.admin)
    throw new ReqlError('User `app` does not have the required `read` permission', 'PERMISSION_ERROR');
  return evaluate(name, scope) as SystemTable;
}

/** The table that a term selects. */
export function tableOf(value: unknown, scope: Scope): TestTable {
  if (!isTerm(value) || value[0] !== TABLE) throw new ReqlError('Expected type TABLE');
  const [db, name] = value[1]!;
  return scope.tables.table(nameOf(db, DB, scope), evaluate(name, scope) as string);
}

function nameOf(value: unknown, code: number, scope: Scope): string {
  if (!isTerm(value) || value[0] !== code) throw new ReqlError('Expected type DATABASE');
  return evaluate(value[1]![0], scope) as string;
}

function selectionOf(value: unknown, scope: Scope): Selection {
  if (!isTerm(value) || value[0] !== GET) throw new ReqlError('Expected type SELECTION<OBJECT>');
  const [table, key] = value[1]!;
  return { table: tableOf(table, scope), key: evaluate(key, scope) as string };
}

function replace(args: readonly unknown[], options: Record<string, unknown>, scope: Scope): Datum {
  const { table, key } = selectionOf(args[0], scope);
  const before = table.get(key);
  let after: Row | null;
  try {
    after = call(args[1], before, scope) as Row | null;
  } catch (error) {
    // An error on a document is counted and does not fail the query.
    if (!(error instanceof ReqlError)) throw error;
    return { ...NOTHING, errors: 1, first_error: error.message };
  }
  const done = countOf(before, after);
  if (done !== 'skipped' && done !== 'unchanged') table.set(key, after);
  const counts = { ...NOTHING, [done]: 1 };
  return options.return_changes ? { ...counts, changes: [{ old_val: before, new_val: after }] } : counts;
}

function countOf(before: Row | null, after: Row | null): keyof typeof NOTHING {
  if (isDeepStrictEqual(before, after)) return before ? 'unchanged' : 'skipped';
  if (!before) return 'inserted';
  return after ? 'replaced' : 'deleted';
}

function call(value: unknown, argument: Datum, scope: Scope): Datum {
  if (!isTerm(value) || value[0] !== FUNC) return evaluate(value, scope);
  const [parameters, body] = value[1]!;
  const [id] = evaluate(parameters, scope) as number[];
  return evaluate(body, { ...scope, variables: new Map([...scope.variables, [id!, argument]]) });
}
