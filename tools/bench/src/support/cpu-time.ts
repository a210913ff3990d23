/** Returns the processor time that all threads of this process have used. Microseconds. */
export function cpuTime(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return Promise.resolve(user + system);
}
