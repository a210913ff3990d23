import { readFile } from 'node:fs/promises';

/** Resident memory of a process on Linux; without limit if it has ended, because memory is what ends it. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? Number.POSITIVE_INFINITY : Math.round(Number(kilobytes) / 1_024);
}
