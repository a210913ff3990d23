import type { RethinkDriver } from './rethink-session.js';

const REMEDY = "import { r } from 'rethinkdb-ts'";

/** @throws TypeError unless the value is `r` of `rethinkdb-ts`. */
export function requireDriver(driver: unknown): asserts driver is RethinkDriver {
  const { connect, db } = (driver ?? {}) as Partial<RethinkDriver>;
  if (isRethinkdbdash(driver))
    throw new TypeError(
      `rethinkdbdash is not supported: pass \`r\` of its successor rethinkdb-ts, which has the same queries: ${REMEDY}`,
    );
  if (typeof connect !== 'function' || typeof db !== 'function')
    throw new TypeError(`driver must be \`r\` of 'rethinkdb-ts': ${REMEDY}`);
}

/** The module is a function that creates a driver with a pool. Such a driver is accepted too. */
function isRethinkdbdash(driver: unknown): boolean {
  if (typeof driver !== 'function') return false;
  return !('connect' in driver) || '_poolMaster' in driver;
}
