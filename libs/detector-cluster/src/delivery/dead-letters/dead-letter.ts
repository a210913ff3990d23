import type { DetectionAudience } from '../detection-audience.js';
import { isAudience, splitMessage, textOf } from '../message/detection-message.js';

/** A detection that was given up: its callbacks failed for good, or it could not be read. */
export interface DeadLetter {
  /** Its place among the dead letters; rises. What `replayDeadLetters` takes. */
  readonly letterId: string;
  readonly detectionId: string;
  readonly workerUrl: string;
  /** Null where the frame cannot be read. */
  readonly subscriptionIdentifier: string | null;
  /** The worker's frame, as it came. */
  readonly frame: string;
  /** Whose callbacks failed: the owner's, those of the subscription's listeners, or any of both. */
  readonly audience: DetectionAudience;
  /** Stack or message of the first error of the last attempt. */
  readonly error: string;
  /** How often the callbacks were run; 0 where the frame could not be read. */
  readonly attempts: number;
  readonly failedAt: Date;
  /** The process whose callbacks failed. */
  readonly processId: string;
}

/** Reads an entry of the stream of dead letters. */
export function parseDeadLetter(letterId: string, flat: readonly string[]): DeadLetter {
  const fields: Partial<Record<string, string>> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) fields[flat[i]!] = flat[i + 1];
  const { head, frame } = splitMessage(fields.message ?? '');
  const audience = fields.for ?? head.for;
  return {
    letterId,
    detectionId: textOf(head.id),
    workerUrl: textOf(head.workerUrl),
    subscriptionIdentifier: subscriptionOf(frame),
    frame,
    audience: isAudience(audience) ? audience : 'owner',
    error: fields.error ?? '',
    attempts: Number(fields.attempts ?? 0),
    failedAt: new Date(fields.at ?? Number.NaN),
    processId: fields.processId ?? '',
  };
}

function subscriptionOf(frame: string): string | null {
  try {
    const { subscriptionIdentifier } = JSON.parse(frame) as { subscriptionIdentifier?: unknown };
    return typeof subscriptionIdentifier === 'string' ? subscriptionIdentifier : null;
  } catch {
    return null;
  }
}
