const MAX_SHOWN = 20;

/**
 * Reports which fields of a key cannot be read, once until they change. Only their writer knows what they held, so the fields are
 * skipped, and an operator has to know of them.
 */
export class UnreadableFields {
  private shown = '';

  /** @param report gets a sentence that names the key and the fields */
  constructor(
    private readonly key: string,
    private readonly report: (message: string) => void,
  ) {}

  /** @param fields all that cannot be read at present */
  note(fields: readonly string[]): void {
    const more = fields.length > MAX_SHOWN ? ` and ${fields.length - MAX_SHOWN} more` : '';
    const shown = fields.slice(0, MAX_SHOWN).join(', ') + more;
    if (shown !== this.shown && shown !== '')
      this.report(`${this.key} has fields that cannot be read: ${shown}`);
    this.shown = shown;
  }
}
