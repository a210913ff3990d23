import { MAX_FRAME_BYTES, MAX_NESTING } from '../protocol-constants.js';
import { nestingExceeds } from './nesting-exceeds.js';
import { parseJsonSafely } from './parse-json-safely.js';

type FrameFailureKind = 'too-large' | 'too-deep' | 'not-json' | 'not-an-object' | 'unknown-type';

/** A JSON object with a `type`, or the reason why the frame is not one. */
export type JsonFrame =
  | { readonly ok: true; readonly type: string; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly kind: FrameFailureKind; readonly detail: string };

const refuse = (kind: FrameFailureKind, detail: string): JsonFrame => ({ ok: false, kind, detail });

// A UTF-16 unit takes at most 3 bytes of UTF-8, so most strings need no counting.
const byteLength = (raw: string | Buffer) =>
  typeof raw === 'string' && raw.length * 3 > MAX_FRAME_BYTES ? Buffer.byteLength(raw) : raw.length;

/** The first step of parsing a frame, common to both directions. Never throws. */
export function parseJsonFrame(raw: string | Buffer): JsonFrame {
  const bytes = byteLength(raw);
  if (bytes > MAX_FRAME_BYTES) return refuse('too-large', `${bytes} bytes, at most ${MAX_FRAME_BYTES}`);
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
