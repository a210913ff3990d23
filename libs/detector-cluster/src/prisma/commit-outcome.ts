/** Nothing was sent, the statement was refused, or the transaction was rolled back. */
const NOT_COMMITTED = /^P(?:2\d{3}|6\d{3}|100[01]|1003|1010)$/;

/** Prisma's codes for whatever else the database or its driver said: P2010 of raw SQL, P2039 of the rest. */
const DATABASE_SAID = new Set(['P2010', 'P2039']);

/** Of the driver adapter, where it has no connection at all. */
const NOTHING_SENT = new Set([
  'AuthenticationFailed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
  'DatabaseNotReachable',
  'TlsConnectionError',
  'TooManyConnections',
]);

interface DriverCause {
  readonly kind?: unknown;
  readonly originalCode?: unknown;
}

interface PrismaError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause?: DriverCause;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: DriverCause } };
}

/** An SQLSTATE but those of a lost connection (08), of "completion unknown" (40003) and of a server that goes away (57P). */
const isRefusal = (code: unknown): boolean =>
  typeof code === 'string' && /^(?!08|40003|57P)[0-9A-Z]{5}$/.test(code);

/**
 * Whether a failed write may have been committed all the same: the connection was lost, or the answer did not come, after
 * the statement or the COMMIT had been sent.
 */
export function mayHaveCommitted(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return true;
  const { name, code } = error as PrismaError;
  if (name === 'PrismaClientValidationError' || name === 'PrismaClientInitializationError') return false;
  const said = driverCause(error);
  if (said !== undefined) return !NOTHING_SENT.has(said.kind as string) && !isRefusal(said.originalCode);
  return !(typeof code === 'string' && NOT_COMMITTED.test(code));
}

/** What the driver said, where Prisma hands it on: bare from a COMMIT, wrapped from a statement. */
function driverCause({ name, code, cause, meta }: PrismaError): DriverCause | undefined {
  if (name === 'DriverAdapterError') return cause ?? {};
  return DATABASE_SAID.has(code as string) ? (meta?.driverAdapterError?.cause ?? {}) : undefined;
}
