import { PoolerError } from '@detector-cluster/detector-cluster/prisma';
import { certificateProblem } from '@detector-cluster/election/internal';
import { Prisma } from '../generated/prisma/client.js';
import { type ProblemException, problems } from '../http/problems.js';

/** The meaning of a failed database call for its caller. */
export type DatabaseError =
  | { readonly kind: 'unavailable'; readonly detail: string }
  | { readonly kind: 'not-found' }
  /** `constraint` is the name of the index or foreign key, empty if the driver does not name it. */
  | { readonly kind: 'unique' | 'foreign-key'; readonly constraint: string }
  | { readonly kind: 'invalid-value'; readonly detail: string };

interface DriverCause {
  readonly kind?: string;
  readonly originalCode?: string;
  readonly originalMessage?: string;
  readonly constraint?: { readonly index?: string; readonly fields?: readonly string[] };
}

const unavailableByPrismaCode: Readonly<Record<string, string>> = {
  P1000: 'the database refuses the credentials',
  P1001: 'the database cannot be reached',
  P1002: 'the database did not answer in time',
  P1003: 'the database does not exist',
  P1008: 'the database did not answer in time',
  P1010: 'the database refuses the user',
  P1011: 'the TLS connection to the database failed',
  P1017: 'the database closed the connection',
  P2021: 'the database has no such table: are all migrations applied?',
  P2022: 'the database has no such column: are all migrations applied?',
  P2024: 'no database connection became free in time',
  P2028: 'the database did not start or keep the transaction in time',
  P2034: 'the transaction lost against another one',
  P2037: 'the database has too many connections',
  // The code of a PoolerError, which Prisma passes on.
  POOLER: 'DATABASE_URL sets what a pooler cannot keep for one client: /health/ready and the log name it',
};

/** SQLSTATE classes 08 (connection), 53 (resources), 57 (operator intervention, timeouts), 25P03 (idle transaction). */
const unavailableState = /^(?:08...|53...|57...|58...|25P0[34])$/;

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Messages of `pg` and its pool without a code. */
const driverMessages = [
  /^Query read timeout$/,
  /^timeout exceeded when trying to connect$/,
  /^Connection terminated/,
  /^Client (?:was closed|has encountered a connection error)/,
  /^Cannot use a pool after calling end/,
];

/** Whether a transaction lost against another one. At its commit, Prisma passes on the error of the driver. */
export function isWriteConflict(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) return error.code === 'P2034';
  if (!(error instanceof Error) || error.name !== 'DriverAdapterError') return false;
  return (error.cause as DriverCause | undefined)?.kind === 'TransactionWriteConflict';
}

/** Classifies an error of Prisma or of the driver below it; null for any other error. */
export function classifyDatabaseError(error: unknown): DatabaseError | null {
  if (error instanceof Prisma.PrismaClientKnownRequestError) return classifyPrisma(error);
  if (error instanceof Prisma.PrismaClientInitializationError)
    return { kind: 'unavailable', detail: 'the database connection failed' };
  if (!(error instanceof Error)) return null;
  if (isWriteConflict(error)) return { kind: 'unavailable', detail: unavailableByPrismaCode.P2034! };
  if (error instanceof PoolerError) return { kind: 'unavailable', detail: error.message };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (unavailableState.test(code) || socketCodes.has(code))
    return { kind: 'unavailable', detail: `the database cannot be reached (${code})` };
  const problem = certificateProblem(error);
  if (problem !== undefined)
    return { kind: 'unavailable', detail: `the database cannot be reached: ${problem}` };
  if (driverMessages.some((message) => message.test(error.message)))
    return { kind: 'unavailable', detail: 'the database did not answer in time' };
  return null;
}

function classifyPrisma(error: Prisma.PrismaClientKnownRequestError): DatabaseError | null {
  const cause = driverCause(error);
  const state = cause.originalCode ?? '';
  if (unavailableState.test(state))
    return { kind: 'unavailable', detail: `the database cancelled the request (SQLSTATE ${state})` };
  const detail = unavailableByPrismaCode[error.code];
  if (detail !== undefined) return { kind: 'unavailable', detail };
  if (error.code === 'P2025') return { kind: 'not-found' };
  if (error.code === 'P2002') return { kind: 'unique', constraint: constraintName(cause) };
  if (error.code === 'P2003') return { kind: 'foreign-key', constraint: constraintName(cause) };
  // 22: data exception (too long, out of range, bad encoding); 23: integrity, here what is left of it (check, not null).
  if (/^2[23]/.test(state))
    return { kind: 'invalid-value', detail: cause.originalMessage ?? 'the database refuses the value' };
  return null;
}

function driverCause(error: Prisma.PrismaClientKnownRequestError): DriverCause {
  const adapterError = error.meta?.driverAdapterError as { cause?: DriverCause } | undefined;
  return adapterError?.cause ?? {};
}

function constraintName({ constraint }: DriverCause): string {
  return constraint?.index ?? constraint?.fields?.join('_') ?? '';
}

/** Fields by the end of the name of the constraint that guards them: `<Table>_<field>_key`, `<Table>_<field>_fkey`. */
const fieldOf = /^[^_]+_(\w+?)_f?key$/;

/** The answer to a failed database call; null if the error does not come from the database. */
export function databaseProblem(error: unknown): ProblemException | null {
  const found = classifyDatabaseError(error);
  switch (found?.kind) {
    case undefined:
      return null;
    case 'unavailable':
      return problems.unavailable({ service: 'database', detail: found.detail }, error);
    case 'not-found':
      return problems.notFound('no such entry');
    case 'unique':
      return problems.conflict([place(found.constraint, 'is already taken')]);
    case 'foreign-key':
      return problems.conflict([place(found.constraint, 'refers to an entry that does not exist')]);
    case 'invalid-value':
      return problems.validation([{ detail: found.detail }]);
  }
}

function place(constraint: string, problem: string) {
  const field = fieldOf.exec(constraint)?.[1] ?? (constraint || 'a field');
  return { pointer: `#/${field}`, detail: `${field} ${problem}` };
}
