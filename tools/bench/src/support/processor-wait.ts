import { readFile } from 'node:fs/promises';

/**
 * Milliseconds for which the main thread of a process has so far been ready to run and had no processor, as Linux counts
 * them; null elsewhere. What a machine that is busy with other things adds to a latency shows here.
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
