import type { ZodError } from 'zod';
import { MAX_FRAME_BYTES, MAX_NESTING } from './protocol-constants.js';

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

const BRACKETS = ['[', '{'];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Whether JSON text nests arrays and objects deeper than `limit`. `JSON.parse` itself survives any depth, but
 * `JSON.stringify`, `structuredClone` and most application code recurse and would throw on the result.
 */
export function nestingExceeds(text: string, limit: number): boolean {
  if (!hasMoreBrackets(text, limit)) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === BACKSLASH) i++;
      else if (c === QUOTE) inString = false;
    } else if (c === QUOTE) inString = true;
    else if (c === OPEN_ARRAY || c === OPEN_OBJECT) {
      if (++depth > limit) return true;
    } else if (c === CLOSE_ARRAY || c === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** Each level needs an opening bracket, and most texts have few. To count them costs a tenth of reading the text. */
function hasMoreBrackets(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (const bracket of BRACKETS)
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++count > limit) return true;
  return false;
}

type FrameFailureKind = 'too-large' | 'too-deep' | 'not-json' | 'not-an-object' | 'unknown-type';

/** A JSON object with a `type`, or the reason why the frame is not one. */
export type JsonFrame =
  | { readonly ok: true; readonly type: string; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly kind: FrameFailureKind; readonly detail: string };

const BEGINS_JSON: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n{["-0123456789tfn'));

const refuse = (kind: FrameFailureKind, detail: string): JsonFrame => ({ ok: false, kind, detail });

// A UTF-16 unit takes at most 3 bytes of UTF-8, so most strings need no counting.
const byteLength = (raw: string | Buffer) =>
  typeof raw === 'string' && raw.length * 3 > MAX_FRAME_BYTES ? Buffer.byteLength(raw) : raw.length;

/** The first step of parsing a frame, common to both directions. Never throws. */
export function parseJsonFrame(raw: string | Buffer): JsonFrame {
  const bytes = byteLength(raw);
  if (bytes > MAX_FRAME_BYTES) return refuse('too-large', `${bytes} bytes, at most ${MAX_FRAME_BYTES}`);
  // What cannot be JSON is not decoded, because a large text lives as long as the next full collection of garbage.
  if (typeof raw !== 'string' && !BEGINS_JSON.has(raw[0]!))
    return refuse('not-json', `${bytes} bytes that are not JSON`);
  const text = typeof raw === 'string' ? raw : raw.toString('utf8');
  if (nestingExceeds(text, MAX_NESTING))
    return refuse('too-deep', `nested deeper than ${MAX_NESTING} levels`);
  let value: unknown;
  try {
    value = parseJsonSafely(text);
  } catch {
    return refuse('not-json', `${bytes} bytes that are not JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(
      'not-an-object',
      `got ${Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value}`,
    );
  const { type } = value as Record<string, unknown>;
  if (typeof type !== 'string') return refuse('unknown-type', 'type: must be a string');
  return { ok: true, type, value: value as Record<string, unknown> };
}

const MAX_LENGTH = 200;

/** The first issues of a failed validation on one line: `data.modelId: Invalid input: expected number…`. */
export function issueDetail(error: ZodError): string {
  const text = error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

/** The unknown `type`, quoted and escaped so that it cannot forge log lines. */
export function unknownTypeDetail(type: string): string {
  return `type: ${JSON.stringify(type.slice(0, 40))} is not one of this protocol`;
}
