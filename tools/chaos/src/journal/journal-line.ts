/** The start of one callback. */
export interface Delivery {
  /** Process id of the backend that called it. */
  readonly process: number;
  readonly detectionId: string;
  readonly subscriptionIdentifier: string;
  readonly workerUrl: string;
  /** The worker's own number, rising per subscription. */
  readonly sequence: number;
  /** When the callback started, by the wall clock. Milliseconds since 1970. */
  readonly at: number;
  /** The same instant by CLOCK_MONOTONIC, one clock for all processes of a Linux machine. Nanoseconds. */
  readonly startedAt: bigint;
}

/** One detection that a master reports as accepted. */
export interface AcceptedLine {
  readonly process: number;
  readonly detectionId: string;
}

/** A time in which an event loop was blocked. */
export interface Stall {
  readonly process: number;
  /** Its end, by the wall clock. Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds. */
  readonly ms: number;
  /** How much of it the process was ready to run without a processor. Milliseconds. */
  readonly waited: number;
}

export type JournalLine =
  | { readonly kind: 'delivery'; readonly delivery: Delivery }
  | { readonly kind: 'accepted'; readonly accepted: AcceptedLine }
  | { readonly kind: 'stall'; readonly stall: Stall };

/** Writes one line. No part contains white space. */
export function formatDelivery(delivery: Delivery): string {
  const { process, detectionId, subscriptionIdentifier, workerUrl, sequence, at, startedAt } = delivery;
  return `D ${process} ${detectionId} ${subscriptionIdentifier} ${workerUrl} ${sequence} ${at} ${startedAt}\n`;
}

export function formatAccepted({ process, detectionId }: AcceptedLine): string {
  return `A ${process} ${detectionId}\n`;
}

export function formatStall({ process, at, ms, waited }: Stall): string {
  return `S ${process} ${at} ${ms} ${waited}\n`;
}

/** @throws Error for a line that no function above wrote */
export function parseJournalLine(line: string): JournalLine {
  const [kind = '', ...parts] = line.split(' ');
  const process = Number(parts[0]);
  const parsed = process > 0 ? parsers[kind]?.(process, parts) : undefined;
  if (parsed === undefined) throw new Error(`not a line of the journal: ${JSON.stringify(line)}`);
  return parsed;
}

const WHOLE = /^\d+$/;

const parsers: Readonly<
  Record<string, (process: number, parts: readonly string[]) => JournalLine | undefined>
> = {
  D(process, parts) {
    if (parts.length !== 7 || !parts.slice(4).every((part) => WHOLE.test(part))) return undefined;
    const [, detectionId, subscriptionIdentifier, workerUrl] = parts as [string, string, string, string];
    const [sequence, at, startedAt] = [Number(parts[4]), Number(parts[5]), BigInt(parts[6]!)];
    const delivery = { process, detectionId, subscriptionIdentifier, workerUrl, sequence, at, startedAt };
    return { kind: 'delivery', delivery };
  },
  A(process, parts) {
    if (parts.length !== 2) return undefined;
    return { kind: 'accepted', accepted: { process, detectionId: parts[1]! } };
  },
  S(process, parts) {
    if (parts.length !== 4 || !parts.every((part) => WHOLE.test(part))) return undefined;
    const [at, ms, waited] = parts.slice(1).map(Number) as [number, number, number];
    return { kind: 'stall', stall: { process, at, ms, waited } };
  },
};
