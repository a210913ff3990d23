/** More different texts than this are hardly shared. */
const MAX_STRINGS = 10_000;

/**
 * Gives equal texts one string. A parser makes a new string for each value, so a hundred thousand records that name a few workers and
 * models would hold a hundred thousand copies, which the garbage collector visits again and again.
 */
export class SharedStrings {
  private readonly known = new Map<string, string>();

  of(text: string): string {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    if (this.known.size >= MAX_STRINGS) this.known.clear();
    this.known.set(text, text);
    return text;
  }
}
