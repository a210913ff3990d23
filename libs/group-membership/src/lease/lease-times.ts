/** How long a leader may act after it sent a renewal: less than others wait, for clocks that run 1 % differently. Milliseconds. */
export function validityOf(leaseTtl: number): number {
  return Math.floor(leaseTtl * 0.98) - 1;
}
