import type { RethinkDriver } from './rethink-session.js';

/** Throws a `TypeError` unless it is the driver. */
export function requireDriver(driver: unknown): asserts driver is RethinkDriver {
  const { connect, db } = (driver ?? {}) as Partial<RethinkDriver>;
  if (typeof connect !== 'function' || typeof db !== 'function')
    throw new TypeError("driver must be `r` of 'rethinkdb-ts': import { r } from 'rethinkdb-ts'");
}
