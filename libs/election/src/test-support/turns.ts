/** Lets what is ready to run do so, where no timer of the real clock is awaited. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}
