import { Long, type Document } from 'bson';

type Operator = (args: unknown[]) => unknown;

const number = (value: unknown): number => (value instanceof Date ? value.getTime() : Number(value));

/** Missing is not null, as for the server. */
const same = (a: unknown, b: unknown): boolean => {
  if (a === null || b === null || a === undefined || b === undefined) return a === b;
  return a instanceof Date || typeof a === 'number' ? number(a) === number(b) : a === b;
};

const OPERATORS: Readonly<Record<string, Operator>> = {
  $and: (args) => args.every(Boolean),
  $or: (args) => args.some(Boolean),
  $eq: ([a, b]) => same(a, b),
  $ne: ([a, b]) => !same(a, b),
  $lte: ([a, b]) => number(a) <= number(b),
  $gt: ([a, b]) => number(a) > number(b),
  $max: (args) => Math.max(...args.map(number)),
  $toLong: ([value]) => number(value),
  $cond: ([condition, yes, no]) => (condition ? yes : no),
  $add(args) {
    const sum = args.map(number).reduce((a, b) => a + b, 0);
    return args.some((arg) => arg instanceof Date) ? new Date(sum) : sum;
  },
};

/** Evaluates an aggregation expression for a document. */
export function evaluate(expression: unknown, document: Document, now: Date): unknown {
  if (expression === '$$NOW') return now;
  if (typeof expression === 'string' && expression.startsWith('$')) return document[expression.slice(1)];
  if (!isObject(expression)) return expression;
  const [[name, operand] = ['', undefined]] = Object.entries(expression);
  if (name === '$literal') return operand;
  const operator = OPERATORS[name];
  if (!operator) throw new Error(`the test server does not know the operator ${name}`);
  return operator([operand].flat().map((arg) => evaluate(arg, document, now)));
}

/** Whether a document matches a filter of equalities and `$expr`. */
export function matches(filter: Document, document: Document, now: Date): boolean {
  return Object.entries(filter).every(([name, value]) => {
    if (name === '$expr') return Boolean(evaluate(value, document, now));
    return same(document[name] ?? null, value ?? null);
  });
}

function isObject(value: unknown): value is Document {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Date) &&
    !(value instanceof Long) &&
    !('_bsontype' in value)
  );
}
