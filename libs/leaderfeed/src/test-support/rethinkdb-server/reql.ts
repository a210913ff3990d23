import type { TestTable, TestTables } from './tables.js';

export type Datum = null | boolean | number | string | Datum[] | { [name: string]: Datum };
type Row = Record<string, Datum>;

/** A query failed as the server would fail it. */
export class ReqlError extends Error {}

/** `default` makes up for it. */
class NonExistence extends ReqlError {}

interface Scope {
  readonly tables: TestTables;
  /** One moment for a whole query. Seconds. */
  readonly now: number;
  readonly variables: ReadonlyMap<number, Datum>;
}

/** A document of a table, for `replace`. */
interface Selection {
  readonly table: TestTable;
  readonly key: string;
}

type Term = readonly [code: number, args?: readonly unknown[], options?: Record<string, unknown>];
type Operator = (args: readonly unknown[], scope: Scope) => Datum;

const isTerm = (value: unknown): value is Term => Array.isArray(value);

/** What a query in the JSON of the protocol is worth. */
export function evaluate(value: unknown, scope: Scope): Datum {
  if (isTerm(value)) {
    const [code, args = [], options = {}] = value;
    if (code === REPLACE) return replace(args, options, scope);
    const operator = OPERATORS[code];
    if (!operator) throw new ReqlError(`the test server does not know the term ${code}`);
    return operator(args, scope);
  }
  if (typeof value !== 'object' || value === null) return value as Datum;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, evaluate(field, scope)]));
}

const each = (args: readonly unknown[], scope: Scope) => args.map((arg) => evaluate(arg, scope));
const numbers = (args: readonly unknown[], scope: Scope) => each(args, scope) as number[];
const textOf = (args: readonly unknown[], index: number, scope: Scope) =>
  evaluate(args[index], scope) as string;
const compare =
  (holds: (a: Datum, b: Datum) => boolean): Operator =>
  (args, scope) => {
    const [a, b] = each(args, scope) as [Datum, Datum];
    return holds(a, b);
  };

const DB = 14;
const TABLE = 15;
const GET = 16;
const REPLACE = 55;
const FUNC = 69;

const OPERATORS: Readonly<Record<number, Operator>> = {
  // MAKE_ARRAY, VAR
  2: each,
  10: ([id], { variables }) => variables.get(id as number)!,
  // EQ, NE, LE, GT
  17: compare((a, b) => a === b),
  18: compare((a, b) => a !== b),
  20: compare((a, b) => Number(a) <= Number(b)),
  21: compare((a, b) => Number(a) > Number(b)),
  // ADD, MUL, FLOOR, MAX
  24: (args, scope) => numbers(args, scope).reduce((a, b) => a + b),
  26: (args, scope) => numbers(args, scope).reduce((a, b) => a * b),
  183: (args, scope) => Math.floor(numbers(args, scope)[0]!),
  148: (args, scope) => Math.max(...(evaluate(args[0], scope) as number[])),
  // MERGE, CONTAINS
  35: (args, scope) => Object.assign({}, ...each(args, scope)) as Row,
  93: (args, scope) => (evaluate(args[0], scope) as Datum[]).includes(evaluate(args[1], scope)),
  // DB_CREATE, DB_LIST, TABLE_CREATE, TABLE_LIST, TABLE_DROP, WAIT
  57: (args, scope) => scope.tables.createDatabase(textOf(args, 0, scope)),
  59: (_args, { tables }) => tables.databases(),
  60: (args, scope) => scope.tables.create(nameOf(args[0], DB, scope), textOf(args, 1, scope)),
  62: (args, scope) => scope.tables.names(nameOf(args[0], DB, scope)),
  61: (args, scope) => scope.tables.drop(nameOf(args[0], DB, scope), textOf(args, 1, scope)),
  177: (args, scope) => {
    tableOf(args[0], scope);
    return { ready: 1 };
  },
  // GET
  16(args, scope) {
    const { table, key } = selectionOf([GET, args], scope);
    return table.get(key);
  },
  // INSERT
  56: (args, scope) => {
    const row = evaluate(args[1], scope) as Row;
    tableOf(args[0], scope).set(row.id as string, row);
    return { inserted: 1, errors: 0 };
  },
  // BRANCH, OR, AND: only what is needed is looked at.
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
    const field = row?.[name];
    if (field === undefined) throw new NonExistence(`No attribute \`${name}\` in object`);
    return field;
  },
  // NOW, TO_EPOCH_TIME: a time is its seconds, for it is never sent.
  103: (_args, { now }) => now,
  102: (args, scope) => evaluate(args[0], scope),
};

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
  const after = call(args[1], before, scope) as Row | null;
  const unchanged = JSON.stringify(before) === JSON.stringify(after);
  if (!unchanged) table.set(key, after);
  const counts = { errors: 0, replaced: unchanged ? 0 : 1, unchanged: unchanged ? 1 : 0 };
  return options.return_changes ? { ...counts, changes: [{ old_val: before, new_val: after }] } : counts;
}

function call(value: unknown, argument: Datum, scope: Scope): Datum {
  if (!isTerm(value) || value[0] !== FUNC) return evaluate(value, scope);
  const [parameters, body] = value[1]!;
  const [id] = evaluate(parameters, scope) as number[];
  return evaluate(body, { ...scope, variables: new Map([...scope.variables, [id!, argument]]) });
}
