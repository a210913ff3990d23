/** The text with a capital letter at its beginning. */
export const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
