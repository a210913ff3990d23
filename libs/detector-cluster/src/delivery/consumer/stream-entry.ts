import { decodeMessage, isAudience, type DetectionMessage } from '../message/detection-message.js';

/** One entry of a process stream, decoded. */
export interface StreamEntry extends DetectionMessage {
  /** `<term>-<sequence>` */
  readonly id: string;
  /** May have been handled before. */
  readonly redelivered: boolean;
}

/** An entry as Redis returns it: its id, and names and values in turn; no fields when it was deleted while it was pending. */
export type RawEntry = readonly [id: Buffer, flat: readonly Buffer[] | null];

/**
 * Decodes the fields of an entry: `message`; `redelivered`, which is `1` where it may have been handled before; and `for`,
 * where it is for others than the message says because it was left by another process. Throws `UnreadableMessageError`.
 */
export function decodeEntry(id: string, flat: readonly Buffer[], seenBefore: boolean): StreamEntry {
  const fields: Partial<Record<string, Buffer>> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) fields[flat[i]!.toString('latin1')] = flat[i + 1];
  const message = decodeMessage(fields.message?.toString() ?? '');
  const { detection, detectionId, receivedAt, trace, workerUrl } = message;
  const audience = fields.for?.toString('latin1');
  return {
    id,
    detectionId,
    workerUrl,
    audience: isAudience(audience) ? audience : message.audience,
    redelivered: seenBefore || fields.redelivered?.toString('latin1') === '1',
    receivedAt,
    detection,
    trace,
  };
}
