/** A message takes some time to arrive, so a difference up to this value is not skew. Milliseconds. */
const TRAVEL = 2_000;

/** How far this machine's clock is ahead of the other one, in milliseconds; 0 if the transit of a message explains it. */
export function skewOf(here: number, there: number): number {
  const difference = here - there;
  return Math.abs(difference) > TRAVEL ? difference : 0;
}
