import { UsageError } from '../cli/usage.error.js';
import type { BackendOptions } from './backend-options.js';

/** @throws UsageError */
export function redisUrl({ redisUrl: url }: BackendOptions): string {
  return checked('--redis-url', url, /^rediss?:\/\//, 'redis://host:port or rediss://host:port');
}

/** @throws UsageError */
export function postgresUrl({ postgresUrl: url }: BackendOptions): string {
  return checked('--postgres-url', url, /^postgres(ql)?:\/\//, 'postgresql://user@host:port/database');
}

/** What is refused may hold a password, and is not repeated. */
function checked(flag: string, url: string, scheme: RegExp, example: string): string {
  if (!scheme.test(url) || !URL.canParse(url)) throw new UsageError(`${flag} must be a URL ${example}`);
  return url;
}
