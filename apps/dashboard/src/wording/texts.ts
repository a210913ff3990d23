/** Words for people, by the code that the cluster uses. */
export type Texts = Readonly<Record<string, string>>;

/** The words for a code; the code itself where there are none, because a newer cluster may know more of them. */
export function textOf(texts: Texts, code: string): string {
  return Object.hasOwn(texts, code) ? texts[code]! : code;
}
