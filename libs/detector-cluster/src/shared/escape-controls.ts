/** Control characters, and those that reorder or break lines of text. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The same, except for the line breaks before the frames of a stack. */
const CONTROLS_OF_STACK =
  // eslint-disable-next-line no-control-regex
  /\n(?! {4}at )|[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (found: string): string =>
  SHORT[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text of strangers as one line of a log: `\n`, or `\u001b`, in place of each control character. Linear time. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** {@link escapeControls} for the stack of an error, whose frames stay on lines of their own. */
export function escapeStack(stack: string): string {
  return stack.replace(CONTROLS_OF_STACK, escaped);
}
