import { createHash } from 'node:crypto';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The checksum of a script in Prisma's ledger: SHA-256 in hexadecimal. */
export const checksum = sha256;

/**
 * Whether a script matches a checksum. As with Prisma, line endings do not count, because Git changes them between systems.
 */
export function matchesChecksum(script: string, recorded: string): boolean {
  const unix = script.replaceAll('\r\n', '\n');
  return [script, unix, unix.replaceAll('\n', '\r\n')].some((text) => sha256(text) === recorded);
}
