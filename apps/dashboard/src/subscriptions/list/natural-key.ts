/** A key that sorts texts as people expect: `camera 9` before `camera 10`, regardless of case. */
export function naturalKey(text: string): string {
  return text.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(16, '0'));
}
