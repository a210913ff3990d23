type Publish = (causes: Iterable<string>) => void;

/**
 * What the statements of one transaction may have changed, until its outcome is known. A statement may report after that,
 * when its transaction was used without being waited for: then it shares the outcome.
 */
export class CauseSink {
  private readonly causes = new Set<string>();
  private outcome: Publish | null = null;

  add(cause: string): void {
    if (this.outcome) this.outcome([cause]);
    else this.causes.add(cause);
  }

  /** The transaction has committed, or may have: hands on what there is, and what still comes. */
  commit(publish: Publish): void {
    this.outcome = publish;
    publish(this.causes);
  }

  /** The transaction was rolled back. */
  drop(): void {
    this.outcome = () => undefined;
  }
}
