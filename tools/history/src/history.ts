import { LineReader, tempDirectory } from '@detector-cluster/dev-services';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Span } from './longest-silence.js';

/** The start of one callback. */
export interface Delivery {
  /** Process id of the backend that called it. */
  readonly process: number;
  readonly detectionId: string;
  readonly subscriptionIdentifier: string;
  readonly workerUrl: string;
  /** The worker's own number, rising per subscription. */
  readonly sequence: number;
  /** When the worker made it, by the wall clock. Milliseconds since 1970. */
  readonly takenAt: number;
  /** When the callback started, by the wall clock. Milliseconds since 1970. */
  readonly at: number;
  /** The same instant by CLOCK_MONOTONIC, one clock for all processes of a Linux machine. Nanoseconds. */
  readonly startedAt: number;
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

/** One line of a journal, as JSON. */
export interface JournalLine {
  readonly delivery?: Delivery;
  /** Id of a detection that a master reports as accepted. */
  readonly accepted?: string;
  readonly stall?: Stall;
}

/** A file to which the backends write. This class reads it as it grows. */
export class Journal {
  /** Almost in the order of their starts: each process writes a line right after it takes the time. */
  readonly deliveries: Delivery[] = [];
  /** Ids of the detections that masters have called accepted. Only with JOURNAL_ACCEPTED in the backends' environment. */
  readonly accepted = new Set<string>();
  /** Times in which the event loop of a backend was blocked. */
  readonly stalls: Stall[] = [];

  private constructor(
    private readonly directory: string,
    private readonly lines: LineReader,
  ) {}

  static async create(): Promise<Journal> {
    const directory = await tempDirectory('journal');
    return new Journal(directory, new LineReader(join(directory, 'journal')));
  }

  get path(): string {
    return this.lines.path;
  }

  /** Reads the lines written since the last call. */
  read(): void {
    for (const line of this.lines.read()) {
      const { delivery, accepted, stall } = JSON.parse(line) as JournalLine;
      if (delivery) this.deliveries.push(delivery);
      if (accepted !== undefined) this.accepted.add(accepted);
      if (stall) this.stalls.push(stall);
    }
  }

  async close(): Promise<void> {
    this.lines.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/**
 * Times in which a backend was ready to run without a processor, because the machine was busy. An otherwise idle machine has
 * none.
 */
export function starvation(stalls: readonly Stall[]): Span[] {
  return stalls.filter(({ ms, waited }) => waited > ms / 2).map(({ at, ms }) => ({ from: at - ms, to: at }));
}
