import type { Failure } from '../feed/feed-connection.js';
import type { Outage } from '../feed/feed-store.js';

export const SOURCE_NAMES: Readonly<Record<Outage['name'], string>> = {
  service: 'The service',
  redis: 'Redis',
  database: 'The database',
  master: 'The master',
};

/** Why the service does not feed this page. */
export const FAILURES: Readonly<Record<Failure, string>> = {
  unreachable: 'The service does not answer.',
  full: 'This process already serves as many pages as it can. Close another page, or open another backend process.',
};

/** The service's text for the master while no process leads. */
export const NO_MASTER = 'no process is master';
