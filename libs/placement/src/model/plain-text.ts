/**
 * Characters that a reader does not see, or that change the order of others: of the format, halves of surrogate pairs, separators of lines,
 * characters that are ignored by default, and the blank Braille pattern.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const OTHER_BLANK = /[^\P{Zs} ]/u;

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Why a name could be taken for another one that looks the same, because of what cannot be seen; null if nothing speaks for it. Letters
 * that look alike are not refused: names in any script are valid.
 */
export function plainTextProblem(text: string): string | null {
  const [hidden] = HIDDEN.exec(text) ?? [];
  if (hidden !== undefined) return `must not contain control or invisible characters, got ${codeOf(hidden)}`;
  const [blank] = OTHER_BLANK.exec(text) ?? [];
  if (blank !== undefined) return `must not contain blanks other than U+0020, got ${codeOf(blank)}`;
  if (text.startsWith(' ') || text.endsWith(' ')) return 'must not begin or end with a blank';
  if (text !== text.normalize('NFC')) return 'must be in the Unicode normal form NFC';
  return null;
}
