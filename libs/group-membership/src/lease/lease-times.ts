/** How long a leader may act after it sent a renewal: shorter than others wait, because clock speeds may differ by 1 %. Milliseconds. */
export function validityOf(leaseTtl: number): number {
  return Math.floor(leaseTtl * 0.98) - 1;
}
