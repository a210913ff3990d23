import { LineReader } from '@detector-cluster/dev-services';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type Accepted,
  type Claim,
  type Command,
  type Delivery,
  type Fault,
  type FencedWrite,
  type Held,
  type HistoryEnd,
  type HistoryHeader,
  type HistoryLine,
  parseLine,
  type SentByWorker,
  type Span,
  type Stall,
  type StartedProcess,
  type Starved,
} from './history-line.js';

/** Lines of one call of the system. */
const BATCH = 1_000;

/** The history of a run: a file to which all its processes append lines. This class reads it as it grows. */
export class History {
  header: HistoryHeader | undefined;
  readonly processes: StartedProcess[] = [];
  readonly claims: Claim[] = [];
  readonly fenced: FencedWrite[] = [];
  readonly commands: Command[] = [];
  readonly held: Held[] = [];
  /** By id, in the order of {@link HistoryHeader.acceptance}. */
  readonly accepted = new Map<string, Accepted>();
  readonly dropped = new Set<string>();
  readonly finished = new Set<string>();
  readonly forgotten = new Set<string>();
  /** Almost in the order of their starts: each process writes a line right after it takes the time. */
  readonly deliveries: Delivery[] = [];
  readonly stalls: Stall[] = [];
  readonly starved: Starved[] = [];
  readonly sent: SentByWorker[] = [];
  readonly faults: Fault[] = [];
  readonly excused: Span[] = [];
  sending: Span | undefined;
  /** Undefined: the run has not reached its end. */
  end: HistoryEnd | undefined;
  private count = 0;

  private constructor(private readonly lines: LineReader) {}

  /** Begins a file, and replaces one that is there. */
  static create(path: string, header: Omit<HistoryHeader, 'version'>): History {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    const history = new History(new LineReader(path));
    history.write({ history: { version: 1, ...header } });
    return history;
  }

  /** Reads a whole file. @throws Error that names the line, and what is wrong with it */
  static open(path: string): History {
    if (!existsSync(path)) throw new Error(`${path}: there is no such file`);
    const history = new History(new LineReader(path));
    try {
      history.read();
    } finally {
      history.close();
    }
    if (history.header === undefined) throw new Error(`${path}: the first line must be that of the history`);
    return history;
  }

  get path(): string {
    return this.lines.path;
  }

  write(written: HistoryLine | readonly HistoryLine[]): void {
    const lines = [written].flat();
    for (let i = 0; i < lines.length; i += BATCH) {
      const batch = lines.slice(i, i + BATCH).map((line) => `${JSON.stringify(line)}\n`);
      appendFileSync(this.path, batch.join(''));
    }
  }

  /** Reads the lines written since the last call. */
  read(): void {
    for (const line of this.lines.read()) {
      this.count++;
      try {
        this.take(parseLine(line));
      } catch (error) {
        throw new Error(`${this.path}: line ${this.count} ${(error as Error).message}`, { cause: error });
      }
    }
  }

  /** Keeps the file. */
  close(): void {
    this.lines.close();
  }

  private take(line: HistoryLine): void {
    // Processes write until they are ended.
    if (this.end !== undefined) return;
    if (line.history) {
      if (line.history.version !== 1) throw new TypeError('has a version that this program does not know');
      this.header = line.history;
    }
    if (line.process) this.processes.push(line.process);
    if (line.claim) this.claims.push(line.claim);
    if (line.fenced) this.fenced.push(line.fenced);
    if (line.command) this.commands.push(line.command);
    if (line.held) this.held.push(line.held);
    if (line.accepted && !this.accepted.has(line.accepted.id))
      this.accepted.set(line.accepted.id, line.accepted);
    if (line.dropped !== undefined) this.dropped.add(line.dropped);
    if (line.finished !== undefined) this.finished.add(line.finished);
    if (line.forgotten !== undefined) this.forgotten.add(line.forgotten);
    if (line.delivery) this.deliveries.push(line.delivery);
    if (line.stall) this.stalls.push(line.stall);
    if (line.starved) this.starved.push(line.starved);
    if (line.sent) this.sent.push(line.sent);
    if (line.fault) this.faults.push(line.fault);
    if (line.sending) this.sending = line.sending;
    if (line.excused) this.excused.push(line.excused);
    if (line.end) this.end = line.end;
  }
}
