import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The master that a sentinel watches, and its settings. */
export interface SentinelConfig {
  readonly port: number;
  readonly directory: string;
  readonly name: string;
  readonly master: { readonly host: string; readonly port: number };
  readonly quorum: number;
  /** Milliseconds. */
  readonly downAfter: number;
}

/** Writes the file that a sentinel requires, because it keeps its state there. Returns the path. */
export async function writeSentinelConfig(config: SentinelConfig): Promise<string> {
  const { port, directory, name, master, quorum, downAfter } = config;
  const file = join(directory, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir "${directory}"`,
    `sentinel monitor ${name} ${master.host} ${master.port} ${quorum}`,
    `sentinel down-after-milliseconds ${name} ${downAfter}`,
    // Also how long a sentinel waits before it retries a failed failover.
    `sentinel failover-timeout ${name} 5000`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}
