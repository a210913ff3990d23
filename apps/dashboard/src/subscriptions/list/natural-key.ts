/** Texts compared by their natural keys are in the order people expect: `camera 9` before `camera 10`, whatever the case. */
export function naturalKey(text: string): string {
  return text.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(16, '0'));
}
