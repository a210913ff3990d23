// `performance.now` reads the same clock with another origin, and costs a fifth.
const origin = Number(process.hrtime.bigint() / 1_000n) / 1_000 - performance.now();

/** Milliseconds on the clock that all processes of a machine share. */
export function sharedClock(): number {
  return origin + performance.now();
}

/** Returns the processor time that all threads of this process have used. Microseconds. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Processor time that the reference service at this URL has used since its start. */
export async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = /^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1];
  if (value === undefined) throw new Error('the service does not say how much processor time it has used');
  return Number(value);
}

/** Bytes in use after a collection. The process needs `--expose-gc`. */
export function usedHeap(): number {
  globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Prints the progress of a benchmark on standard error, because standard output is for the figures. */
export function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}
