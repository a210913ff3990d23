import { redactUrl } from '../../redact/redact-url.js';
import { changeFeedSettings } from './sql/change-feed-settings.js';
import type { ChangeFeedOptions } from './change-feed-options.js';

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
