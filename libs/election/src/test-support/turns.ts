/** Lets all ready tasks run. Does not wait for timers of the real clock. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}
