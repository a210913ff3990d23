import { readFile } from 'node:fs/promises';

/**
 * Milliseconds that the main thread of a process has been ready to run without a processor, as counted by Linux; null on other
 * systems. Shows how much a busy machine adds to latencies.
 */
export async function processorWait(pid: number): Promise<number | null> {
  try {
    return parseWait(await readFile(`/proc/${pid}/schedstat`, 'utf8'));
  } catch {
    return null;
  }
}

/** The second of three numbers: time run, time waited (both in nanoseconds), times it was run. */
export function parseWait(schedstat: string): number | null {
  const [, waited] = /^\d+ (\d+) \d+\s*$/.exec(schedstat) ?? [];
  return waited === undefined ? null : Number(waited) / 1e6;
}
