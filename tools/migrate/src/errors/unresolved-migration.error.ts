import type { LedgerEntry } from '../ledger/migration-ledger.js';

/** An earlier run left migrations unfinished. Nothing is applied until an operator has resolved them. */
export class UnresolvedMigrationError extends Error {
  override readonly name = 'UnresolvedMigrationError';

  constructor(readonly entries: readonly LedgerEntry[]) {
    super(
      entries
        .map(
          ({ name, startedAt, logs }) =>
            `migration ${name}, started ${startedAt.toISOString()}, did not finish${logs ? `: ${logs}` : ''}. ` +
            `Once its changes are undone: "npm run migrate -- rolled-back ${name}", then try again.`,
        )
        .join('\n'),
    );
  }
}
