import type { AppProcess } from '@detector-cluster/local-cluster';

/** An event with its time. */
export interface TimedEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what: string;
}

/** The faults and the backends' JSON logs in one chronological list, to help find a cause. */
export async function timeline(
  done: readonly TimedEvent[],
  backends: readonly AppProcess[],
): Promise<string> {
  const logged = await Promise.all(
    backends.map(async ({ name, log }) => (await log().catch(String)).split('\n').flatMap(toEvent(name))),
  );
  return [...done.map(({ at, what }) => ({ at, what: `=== ${what}` })), ...logged.flat()]
    .sort((a, b) => a.at - b.at)
    .map(({ at, what }) => `${new Date(at).toISOString().slice(11, -1)} ${what}`)
    .join('\n');
}

interface LogLine {
  readonly timestamp: number;
  readonly level: string;
  readonly context?: string;
  readonly message: unknown;
}

function toEvent(name: string): (line: string) => TimedEvent[] {
  return (line) => {
    if (!line.startsWith('{')) return [];
    try {
      const { timestamp, level, context = '', message } = JSON.parse(line) as LogLine;
      return [{ at: timestamp, what: `${name} ${level} [${context}] ${String(message)}` }];
    } catch {
      // The process was killed while it wrote the line.
      return [];
    }
  };
}
