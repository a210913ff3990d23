export type Datum = null | boolean | number | string | Datum[] | { [name: string]: Datum };
export type Row = Record<string, Datum>;

/** Codes of the protocol. */
const ERROR_TYPES = {
  QUERY_LOGIC: 3_000_000,
  NON_EXISTENCE: 3_100_000,
  OP_FAILED: 4_100_000,
  PERMISSION_ERROR: 6_000_000,
} as const;

/** An error that the server would answer a query with. */
export class ReqlError extends Error {
  readonly errorType: number;

  constructor(message: string, type: keyof typeof ERROR_TYPES = 'QUERY_LOGIC') {
    super(message);
    this.errorType = ERROR_TYPES[type];
  }
}

/** Counters of a write that did nothing. */
export const NOTHING = { deleted: 0, errors: 0, inserted: 0, replaced: 0, skipped: 0, unchanged: 0 } as const;
