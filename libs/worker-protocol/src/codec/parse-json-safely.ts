// `__proto__` and `constructor` may be written with escapes; \u005x to \u007x cover every letter they contain.
const ESCAPED_LETTER = /\\u00[5-7]/;

const dropPollution = (key: string, value: unknown): unknown => {
  if (key === '__proto__') return undefined;
  if (
    key === 'constructor' &&
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'prototype')
  )
    return undefined;
  return value;
};

/**
 * `JSON.parse` without the keys that poison prototypes when a consumer merges the result into another object:
 * `__proto__` at any depth, and `constructor` that holds a `prototype`. Throws like `JSON.parse`.
 */
export function parseJsonSafely(text: string): unknown {
  const suspicious =
    text.includes('__proto__') ||
    text.includes('constructor') ||
    // The plain search comes first: it costs a tenth of the expression and is nearly always enough.
    (text.includes('\\u00') && ESCAPED_LETTER.test(text));
  return suspicious ? JSON.parse(text, dropPollution) : JSON.parse(text);
}
