import { splitMessage, textOf, traceOf, type TraceFields } from '../log/detection-message.js';

/** Dead letters kept beside each log, unless a consumer is configured otherwise. */
export const MAX_DEAD_LETTERS = 1_000;

/** A detection that was given up: its callbacks failed for good, or it could not be read. */
export interface DeadLetter {
  /** `<milliseconds>-<n>-<partition>`, or `…-l` of a listener stream; rises. What `replayDeadLetters` takes. */
  readonly letterId: string;
  readonly detectionId: string;
  readonly workerUrl: string;
  /** Null where the frame cannot be read. */
  readonly subscriptionIdentifier: string | null;
  /** When the master received the frame, by its clock. Milliseconds since 1970; NaN if it is not readable. */
  readonly receivedAt: number;
  /** The worker's frame as it was received. */
  readonly frame: string;
  /** Whose callbacks failed: the owner's global listeners, or the subscription's listeners in one process. */
  readonly audience: 'owner' | 'listener';
  /** Stack or message of the first error of the last attempt. */
  readonly error: string;
  /** How often the callbacks were run; 0 if the frame could not be read. */
  readonly attempts: number;
  readonly failedAt: Date;
  /** The process whose callbacks failed. */
  readonly processId: string;
}

/** A dead letter with the trace that its replay continues. */
export interface TracedLetter extends DeadLetter {
  readonly trace: TraceFields | null;
}

/** The fields of a letter beside the message. */
export interface Failure {
  readonly error: string;
  readonly attempts: string;
  /** ISO 8601. */
  readonly failedAt: string;
  readonly processId: string;
}

/** The place of a letter: its entry and its partition, which is null for letters of listener streams. */
export interface LetterPlace {
  readonly entry: string;
  readonly partition: number | null;
}

export function formatLetterId({ entry, partition }: LetterPlace): string {
  return `${entry}-${partition ?? 'l'}`;
}

/** Null for a text that is not the id of a letter. */
export function parseLetterId(letterId: string): LetterPlace | null {
  const match = /^(\d{1,16}-\d{1,16})-(\d{1,5}|l)$/.exec(letterId);
  return match && { entry: match[1]!, partition: match[2] === 'l' ? null : Number(match[2]) };
}

/** Negative if `a` is older. Compares the time of storing, then the partition. */
export function compareLetters(a: LetterPlace, b: LetterPlace): number {
  const [aTime, aCount] = a.entry.split('-').map(Number);
  const [bTime, bCount] = b.entry.split('-').map(Number);
  return aTime! - bTime! || aCount! - bCount! || (a.partition ?? Infinity) - (b.partition ?? Infinity) || 0;
}

/** Reads an entry of a stream of dead letters. */
export function parseDeadLetter(place: LetterPlace, flat: readonly string[]): DeadLetter {
  const fields = fieldsOf(flat);
  const { head, frame } = splitMessage(fields.message ?? '');
  return {
    letterId: formatLetterId(place),
    detectionId: textOf(head.detectionId),
    workerUrl: textOf(head.workerUrl),
    subscriptionIdentifier: subscriptionOf(frame),
    receivedAt: typeof head.receivedAt === 'number' ? head.receivedAt : Number.NaN,
    frame,
    audience: place.partition === null ? 'listener' : 'owner',
    error: fields.error ?? '',
    attempts: Number(fields.attempts ?? 0),
    failedAt: new Date(fields.failedAt ?? Number.NaN),
    processId: fields.processId ?? '',
  };
}

export function parseTracedLetter(place: LetterPlace, flat: readonly string[]): TracedLetter {
  const { head } = splitMessage(fieldsOf(flat).message ?? '');
  return { ...parseDeadLetter(place, flat), trace: traceOf(head) };
}

function fieldsOf(flat: readonly string[]): Partial<Record<keyof Failure | 'message', string>> {
  const fields: Partial<Record<keyof Failure | 'message', string>> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) fields[flat[i] as keyof Failure] = flat[i + 1]!;
  return fields;
}

function subscriptionOf(frame: string): string | null {
  try {
    const { subscriptionIdentifier } = JSON.parse(frame) as { subscriptionIdentifier?: unknown };
    return typeof subscriptionIdentifier === 'string' ? subscriptionIdentifier : null;
  } catch {
    return null;
  }
}
