/** Words for people, by the code that the cluster uses. */
export type Texts = Readonly<Record<string, string>>;

/** The words for a code, or the code itself if it is unknown: a newer cluster may have more codes. */
export function textOf(texts: Texts, code: string): string {
  return Object.hasOwn(texts, code) ? texts[code]! : code;
}
