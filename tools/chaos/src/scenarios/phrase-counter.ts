/** Counts how often a phrase occurs in a text that arrives in pieces. */
export class PhraseCounter {
  count = 0;
  private rest = '';

  constructor(private readonly phrase: string) {}

  add(piece: string): void {
    const parts = (this.rest + piece).split(this.phrase);
    this.count += parts.length - 1;
    // Too short for the whole phrase, long enough for a phrase that is cut in two.
    this.rest = this.phrase.length > 1 ? parts.at(-1)!.slice(1 - this.phrase.length) : '';
  }
}
