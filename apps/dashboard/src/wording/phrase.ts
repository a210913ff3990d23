/** A sentence in which texts of unknown origin stand: they are kept apart, so that none can turn the writing around it. */
export type Phrase = readonly PhrasePart[];

export type PhrasePart = string | { readonly value: string };

/** Tag of a template: texts that are put in stay recognisable as such, phrases become part of it. */
export function phrase(words: TemplateStringsArray, ...values: readonly (string | Phrase)[]): Phrase {
  return words.flatMap((word, index): PhrasePart[] => {
    const value = values[index];
    return [
      ...(word === '' ? [] : [word]),
      ...(value === undefined ? [] : typeof value === 'string' ? [{ value }] : value),
    ];
  });
}

/** The sentence as plain text, e.g. to search in it. */
export function phraseText(parts: Phrase): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.value)).join('');
}
