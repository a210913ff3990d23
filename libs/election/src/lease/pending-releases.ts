/**
 * Claims that were given up, and that the store may still hold. A release that fails is repeated before the next claim; until then the
 * lease expires by itself.
 */
export class PendingReleases {
  private readonly claims = new Set<string>();

  add(claim: string): void {
    this.claims.add(claim);
  }

  /** Sends the releases to the store. Rejects with the first failure; the remaining releases stay pending. */
  async settle(release: (claim: string) => Promise<unknown>): Promise<void> {
    for (const claim of this.claims) {
      await release(claim);
      this.claims.delete(claim);
    }
  }
}
