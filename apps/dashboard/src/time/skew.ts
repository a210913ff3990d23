/** Messages are under way for some time: so many ms of difference are no skew. */
const TRAVEL = 2_000;

/** How far the clock of this machine is ahead of the other one, in milliseconds; 0 when that is no more than a message takes. */
export function skewOf(here: number, there: number): number {
  const difference = here - there;
  return Math.abs(difference) > TRAVEL ? difference : 0;
}
