/** A sentence with texts of unknown origin. They are isolated, so that none can change the writing direction around it. */
export type Phrase = readonly PhrasePart[];

/** `href`: the page about the thing that the text names. `title`: the whole of a text that is shortened. */
export type PhrasePart = string | { readonly value: string; readonly href?: string; readonly title?: string };

/** Template tag. Inserted texts stay recognisable; inserted phrases become part of the result. */
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

/** Words for people, by the code that the cluster uses. */
export type Texts = Readonly<Record<string, string>>;

/** The words for a code, or the code itself if it is unknown: a newer cluster may have more codes. */
export function textOf(texts: Texts, code: string): string {
  return Object.hasOwn(texts, code) ? texts[code]! : code;
}
