/** PostgreSQL refuses NUL in text, and workers and callers may send any text. */
export function storable(text: string): string {
  return text.replaceAll('\0', '');
}
