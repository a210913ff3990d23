/** Milliseconds on the clock that all processes of a machine share. */
export function sharedClock(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}
