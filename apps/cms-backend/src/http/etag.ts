import { createHash } from 'node:crypto';
import { problems } from './problems.js';

/** The version of a view. It differs after every change, because the view contains the time of the last change. */
export function withEtag<View extends object>(view: View): View & { etag: string } {
  const fields = Object.entries(view).sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
  return { ...view, etag: digest.slice(0, 22) };
}

/** The condition of `If-Match`: any existing entry, or one of these versions. Null if the header is missing. */
export type Precondition = '*' | readonly string[] | null;

const TAG = /^"([\x21\x23-\x7e]*)"$/;

/** A weak tag never matches, because `If-Match` compares strongly (RFC 9110). */
export function readIfMatch(header: string | undefined): Precondition {
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  const tags = header.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => TAG.test(tag.replace(/^W\//, ''))))
    throw problems.validation([
      { parameter: 'if-match', detail: 'must be * or the ETag of an answer, such as "rMy9…"' },
    ]);
  return tags.flatMap((tag) => TAG.exec(tag)?.[1] ?? []);
}

/**
 * Whether a bulk request may change entries in any version. Its items name their versions themselves.
 * @throws 422 for a single version, which would be that of one entry
 */
export function mayOverwrite(header: string | undefined): boolean {
  const precondition = readIfMatch(header);
  if (precondition === null || precondition === '*') return precondition === '*';
  throw problems.validation([
    { parameter: 'if-match', detail: 'must be *: give the version of each item as its member etag' },
  ]);
}

/** @throws 412 unless the precondition holds for an entry of this version */
export function requireMatch(precondition: Precondition, etag: string, what: string): void {
  if (precondition === null || precondition === '*' || precondition.includes(etag)) return;
  throw problems.preconditionFailed(
    `${what} has changed since the version in If-Match: read it again, and repeat the change if it is still right`,
  );
}
