import type { ConnectionOptions } from 'node:tls';
import { redactUrl } from '../../redact/redact-url.js';
import { changeFeedSettings, type ChangeFeedSettings } from './sql/change-feed-settings.js';

/** Where the master listens to the database. `installChangeFeed` installs the triggers separately. */
export interface ChangeFeedOptions extends ChangeFeedSettings {
  /** Direct address of the primary: a pooler in transaction mode and a standby cannot `LISTEN`. */
  readonly connectionString: string;
  /** The option `ssl` of `pg`. Default: as in the address. */
  readonly ssl?: boolean | ConnectionOptions;
  /** How often the connection and the triggers are checked. Default 5,000 ms. */
  readonly probeInterval?: number;
  /** Timeout of the connection and of any answer. Default 5,000 ms. */
  readonly timeout?: number;
}

/** The problems of the option `changeFeed`; each begins with the name of the field. Free of credentials. */
export function changeFeedProblems(raw: ChangeFeedOptions): string[] {
  if (typeof raw !== 'object' || raw === null)
    return ['changeFeed: must be an object such as { connectionString: process.env.DATABASE_URL }'];
  const problems: string[] = [];
  const { connectionString: url } = raw;
  if (typeof url !== 'string' || url === '')
    problems.push('changeFeed.connectionString: is required, e.g. postgres://user@host/database');
  else if (!/^postgres(?:ql)?:\/\/./.test(url))
    problems.push(
      `changeFeed.connectionString: must begin with postgres:// or postgresql://, got ${JSON.stringify(redactUrl(url))}`,
    );
  for (const name of ['probeInterval', 'timeout'] as const) {
    const value = raw[name];
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      problems.push(`changeFeed.${name}: must be a number of milliseconds above 0, got ${String(value)}`);
  }
  try {
    changeFeedSettings(raw);
  } catch (error) {
    problems.push((error as Error).message);
  }
  return problems;
}
