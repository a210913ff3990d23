/** Scripts whose letters can be taken for those of another one. */
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'] as const;
const LETTERS = SCRIPTS.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const);
const ASCII = /^[\0-\x7f]*$/; // eslint-disable-line no-control-regex
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Letters of other scripts that look like Latin ones in most typefaces. */
const LIKE_LATIN = /^[асеорхуіјѕһԁԛԝАВСЕНІЈКМОРЅТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρΙ\p{N}]+$/u;
const DIGITS_OF_OTHERS = /[^\P{Nd}0-9]/u;

/**
 * Why a name may be taken for another one; null if nothing speaks for it. Looks at each word: words of several scripts are ordinary in
 * one name, letters of several scripts in one word are not. It knows no fonts, so it is a hint and no proof.
 */
export function lookalikeNote(name: string): string | null {
  if (ASCII.test(name)) return null;
  for (const word of name.match(WORDS) ?? []) {
    if (ASCII.test(word)) continue;
    const scripts = LETTERS.filter(([, letter]) => letter.test(word)).map(([script]) => script);
    if (scripts.length > 1) return `“${word}” mixes ${scripts.join(' and ')} letters`;
    const [script] = scripts;
    if (script !== undefined && script !== 'Latin' && LIKE_LATIN.test(word))
      return `“${word}” looks like Latin letters, but is ${script}`;
    if (DIGITS_OF_OTHERS.test(word)) return `“${word}” has digits of another script than 0 to 9`;
  }
  return null;
}
