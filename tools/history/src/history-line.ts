/** A span of the wall clock. Milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What the run promises, so that its history can be checked without the scenario. */
export interface HistoryHeader {
  /** Of this format. */
  readonly version: 1;
  readonly scenario: string;
  readonly seed: number;
  /**
   * Who says what was accepted: Redis, in its order; or the masters, in the order in which they heard it. `none`: the scenario does not
   * compare detections.
   */
  readonly acceptance: 'redis' | 'masters' | 'none';
  /** Names of the figures that have a limit. */
  readonly promises: readonly string[];
}

/** The start of an operating system's process. */
export interface StartedProcess {
  readonly pid: number;
  readonly name: string;
  readonly at: number;
}

/** An answer of a process about itself. The lines have the order in which the processes were asked, one at a time. */
export interface Claim {
  readonly process: string;
  /** The term in which it is master; null: it is not master, or did not answer. */
  readonly term: number | null;
  readonly at: number;
}

/** A write through the fence, with its beginning and its end by CLOCK_MONOTONIC. Nanoseconds. */
export interface FencedWrite {
  readonly process: number;
  readonly term: number;
  readonly accepted: boolean;
  readonly from: number;
  readonly to: number;
  /** Its end by the wall clock. */
  readonly at: number;
}

/** A command of a master that a worker has carried out. */
export interface Command {
  readonly worker: string;
  /** Process id of the worker. It forgets terms when it restarts. */
  readonly process: number;
  readonly type: string;
  readonly term: number;
  /** Whether the worker knows terms. */
  readonly fencing: boolean;
  readonly at: number;
}

/** From now on the master takes the detections of a subscription from this worker only. */
export interface Held {
  readonly subscriptionIdentifier: string;
  readonly workerUrl: string;
  readonly at: number;
}

/** A detection that Redis has accepted. */
export interface Accepted {
  readonly id: string;
  readonly at: number;
}

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

/** A time in which a process was ready to run, and had no processor for more than two thirds of it. */
export interface Starved {
  readonly process: number;
  /** Its end, by the wall clock. Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds. */
  readonly ms: number;
}

/** What a worker says about the detections that it has made. */
export interface SentByWorker {
  readonly workerUrl: string;
  /** Subscription → number of the last detection. The first is 1. */
  readonly sequences: Readonly<Record<string, number>>;
  /** Subscription → numbers of the detections that the worker had no room for. A master may have accepted them before. */
  readonly dropped: Readonly<Record<string, readonly (readonly [first: number, last: number])[]>>;
}

/** What the scenario did. */
export interface Fault {
  readonly what: string;
  readonly at: number;
}

/** The end of a run: what the scenario has measured is complete. */
export interface HistoryEnd {
  readonly at: number;
  /** Faults after which detections may be delivered again. */
  readonly faults: number;
}

/** One line of a history, as JSON. It has one of these. */
export interface HistoryLine {
  readonly history?: HistoryHeader;
  readonly process?: StartedProcess;
  readonly claim?: Claim;
  readonly fenced?: FencedWrite;
  readonly command?: Command;
  readonly held?: Held;
  readonly accepted?: Accepted;
  /** Id of a detection that Redis removed because its log was full. */
  readonly dropped?: string;
  /** Id of a detection whose callbacks have returned, and that Redis does not have any more. */
  readonly finished?: string;
  /** Id of a detection that nothing can bring back: the scenario has made Redis forget it. */
  readonly forgotten?: string;
  readonly delivery?: Delivery;
  readonly stall?: Stall;
  readonly starved?: Starved;
  readonly sent?: SentByWorker;
  readonly fault?: Fault;
  /** The time in which workers sent. */
  readonly sending?: Span;
  /** A time in which nothing can be accepted. */
  readonly excused?: Span;
  readonly end?: HistoryEnd;
}

type Kind = keyof HistoryLine;

const NUMBER = 'number';
const TEXT = 'string';
const span = { from: NUMBER, to: NUMBER };

/** The fields of each kind of line: the type of each, as `typeof` says it. */
const FIELDS: Readonly<Record<Kind, string | Readonly<Record<string, string>>>> = {
  history: { version: NUMBER, scenario: TEXT, seed: NUMBER, acceptance: TEXT, promises: 'object' },
  process: { pid: NUMBER, name: TEXT, at: NUMBER },
  claim: { process: TEXT, at: NUMBER },
  fenced: { process: NUMBER, term: NUMBER, accepted: 'boolean', at: NUMBER, ...span },
  command: {
    worker: TEXT,
    process: NUMBER,
    type: TEXT,
    term: NUMBER,
    fencing: 'boolean',
    at: NUMBER,
  },
  held: { subscriptionIdentifier: TEXT, workerUrl: TEXT, at: NUMBER },
  accepted: { id: TEXT, at: NUMBER },
  dropped: TEXT,
  finished: TEXT,
  forgotten: TEXT,
  delivery: {
    process: NUMBER,
    detectionId: TEXT,
    subscriptionIdentifier: TEXT,
    workerUrl: TEXT,
    sequence: NUMBER,
    takenAt: NUMBER,
    at: NUMBER,
    startedAt: NUMBER,
  },
  stall: { process: NUMBER, at: NUMBER, ms: NUMBER, waited: NUMBER },
  starved: { process: NUMBER, at: NUMBER, ms: NUMBER },
  sent: { workerUrl: TEXT, sequences: 'object', dropped: 'object' },
  fault: { what: TEXT, at: NUMBER },
  sending: span,
  excused: span,
  end: { at: NUMBER, faults: NUMBER },
};

/** @throws TypeError that names the field */
export function parseLine(text: string): HistoryLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw new TypeError('is not JSON');
  }
  const [kind = '', ...others] = typeof line === 'object' && line !== null ? Object.keys(line) : [];
  const fields = Object.hasOwn(FIELDS, kind) ? FIELDS[kind as Kind] : undefined;
  if (fields === undefined || others.length > 0)
    throw new TypeError(`must have one of ${Object.keys(FIELDS).join(', ')}`);
  const value = (line as Record<string, unknown>)[kind];
  if (typeof fields === 'string') check(kind, value, fields);
  else {
    check(kind, value, 'object');
    for (const name of Object.keys(fields))
      check(`${kind}.${name}`, (value as Record<string, unknown>)[name], fields[name]!);
  }
  return line as HistoryLine;
}

function check(name: string, value: unknown, type: string): void {
  // oxlint-disable-next-line valid-typeof
  if (typeof value !== type || value === null) throw new TypeError(`${name} must be of type ${type}`);
}
