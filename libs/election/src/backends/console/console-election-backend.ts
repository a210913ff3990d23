import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Candidate, ElectionBackend, ElectionState } from '../../contract/election-backend.js';
import { systemClock, type Clock } from '../../util/clock.js';
import { Condition } from '../../util/condition.js';
import {
  CONSOLE_COMMANDS,
  type ConsoleCommand,
  ConsoleError,
  parseConsoleCommand,
} from './console-command.js';

export interface ConsoleElectionOptions {
  /** Where events are typed, one a line. Default `process.stdin`. */
  readonly input?: Readable;
  /** Where it says what can be typed, and what the candidate does. Default `process.stdout`. */
  readonly output?: Writable;
  /** Receives a line that is no event, when its turn comes. Default: `output` shows what can be typed. */
  readonly onUnknown?: (line: string) => void;
  /** Receives how many events were typed during the error state, and dropped. Default: `output` shows it. */
  readonly onDropped?: (count: number) => void;
  readonly clock?: Clock;
}

interface UnknownLine {
  readonly kind: 'unknown';
  readonly line: string;
}

/**
 * Takes the events of an election from a stream, to try handlers out by hand:
 *
 * - `LEADER [term]`: the candidate leads until the next event. The term must be above the last one. Default: the current time in
 *   milliseconds since 1970.
 * - `NOTLEADER [leader [term]]`: the candidate does not lead. Another candidate leads if `leader` is given.
 * - `ERROR [message]`: the campaign fails. The elector ends its term if it leads, enters its error state, and then follows.
 *
 * Events that arrive in the error state are dropped. When the input ends, the candidate stops leading.
 */
export class ConsoleElectionBackend implements ElectionBackend {
  readonly name = 'console';
  private readonly input: Readable;
  private readonly output: Writable;
  private readonly clock: Clock;
  private readonly onUnknown: (line: string) => void;
  private readonly onDropped: (count: number) => void;
  private readonly commands: (ConsoleCommand | UnknownLine)[] = [];
  private lines: Interface | undefined;
  private candidate: Candidate | undefined;
  private leading = false;
  private term = 0;
  /** The last campaign ended with the error state of its elector. */
  private failed = false;
  private closed = false;
  private readonly news: Condition;

  constructor(options: ConsoleElectionOptions = {}) {
    this.input = options.input ?? process.stdin;
    this.output = options.output ?? process.stdout;
    this.clock = options.clock ?? systemClock;
    this.news = new Condition(this.clock);
    this.onUnknown =
      options.onUnknown ?? ((line) => this.say(`'${line}' is unknown; type ${CONSOLE_COMMANDS}`));
    this.onDropped =
      options.onDropped ?? ((count) => this.say(`dropped ${count} event(s) of the error state`));
  }

  async *campaign(candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    if (this.candidate) throw new Error('a campaign of this backend is already under way');
    this.candidate = candidate;
    if (!this.closed) this.lines ??= this.open();
    if (this.failed) this.drop();
    this.failed = false;
    this.say(`${candidate.id} competes; type ${CONSOLE_COMMANDS}`);
    try {
      while (!signal.aborted) {
        const command = this.commands.shift();
        if (command) {
          const state = this.obey(command);
          if (state) yield state;
        } else if (this.closed) break;
        else await this.news.wait(Infinity, signal);
      }
      // The current leader steps down when it reads this.
      if (this.leading && !signal.aborted) yield { role: 'follower', leaderId: null, term: this.term };
    } finally {
      this.candidate = undefined;
      this.leading = false;
      this.say(`${candidate.id} does not compete`);
    }
  }

  resign(): Promise<void> {
    if (this.leading) {
      this.say(`${this.candidate!.id} resigned`);
      // Also when its begin handler failed: the error state follows.
      this.failed = true;
    }
    this.leading = false;
    return Promise.resolve();
  }

  /** Stops reading. Does not close the files or terminals behind the streams. */
  close(): Promise<void> {
    this.end();
    this.lines?.close();
    return Promise.resolve();
  }

  private open(): Interface {
    const lines = createInterface({ input: this.input, terminal: false });
    lines.on('line', (line) => this.read(line));
    lines.on('close', () => this.end());
    return lines;
  }

  private read(line: string): void {
    if (line.trim() === '') return;
    this.commands.push(parseConsoleCommand(line) ?? { kind: 'unknown', line: line.trim() });
    this.news.notify();
  }

  private obey(command: ConsoleCommand | UnknownLine): ElectionState | undefined {
    switch (command.kind) {
      case 'unknown':
        this.onUnknown(command.line);
        return undefined;
      case 'leader':
        return this.lead(command.term);
      case 'follower':
        this.leading = false;
        this.term = Math.max(this.term, command.term ?? 0);
        return { role: 'follower', leaderId: command.leaderId, term: command.term ?? this.term };
      case 'error':
        this.leading = false;
        this.failed = true;
        throw new ConsoleError(command.message);
    }
  }

  private lead(given: number | undefined): ElectionState | undefined {
    if (this.leading && given === undefined) return undefined;
    const term = given ?? Math.max(this.term + 1, Math.floor(this.clock.wallNow()));
    if (term <= this.term) {
      this.say(`term ${term} is not above the last one, ${this.term}`);
      return undefined;
    }
    this.leading = true;
    this.failed = false;
    this.term = term;
    return { role: 'leader', term, validUntil: Infinity, leaseUntil: Infinity };
  }

  /** Drops the events of the error state. Unknown input does not count as such an event. */
  private drop(): void {
    const unknown = this.commands.filter(({ kind }) => kind === 'unknown');
    const dropped = this.commands.splice(0, Infinity, ...unknown).length - unknown.length;
    if (dropped > 0) this.onDropped(dropped);
  }

  private end(): void {
    this.closed = true;
    this.news.notify();
  }

  private say(text: string): void {
    if (this.output.writable) this.output.write(`${text}\n`);
  }
}
