/** Reports events to people or to programs. */
export type EventName =
  | 'started'
  | 'leader'
  | 'not-leader'
  | 'follower'
  | 'suspended'
  | 'resumed'
  | 'begin-done'
  | 'end-done'
  | 'command-started'
  | 'command-ended'
  | 'output'
  | 'error'
  | 'error-state'
  | 'recovered'
  | 'updates-dropped'
  | 'warning'
  | 'resign-requested'
  | 'stopping'
  | 'inconsistent'
  | 'stopped';

interface ReportStreams {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
}

/** The same error again and again is said once per this time. Milliseconds. */
const QUIET = 10_000;

/**
 * Says what happens. For people: lines to standard error, and the output of commands line by line behind their name. For programs:
 * one JSON object a line to standard output, the output of commands among them.
 */
export class Report {
  private readonly said = new Map<string, number>();

  constructor(
    private readonly json: boolean,
    private readonly instanceId: string,
    private readonly streams: ReportStreams = { out: process.stdout, err: process.stderr },
    private readonly now: () => number = Date.now,
  ) {}

  event(event: EventName, text: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (this.json) this.line({ event, ...fields });
    else this.streams.err.write(`elector: ${text}\n`);
  }

  /** One line that a command wrote. */
  output(command: string, stream: 'stdout' | 'stderr', line: string): void {
    if (this.json) this.line({ event: 'output', command, stream, line });
    else this.streams[stream === 'stdout' ? 'out' : 'err'].write(`[${command}] ${line}\n`);
  }

  error(error: Error): void {
    const now = this.now();
    if (now - (this.said.get(error.message) ?? -Infinity) < QUIET) return;
    for (const [message, at] of this.said) if (now - at >= QUIET) this.said.delete(message);
    this.said.set(error.message, now);
    const { message, code } = error as Error & { code?: string };
    this.event('error', message, { message, ...(code !== undefined && { code }) });
  }

  private line(fields: Readonly<Record<string, unknown>>): void {
    const at = new Date(this.now()).toISOString();
    this.streams.out.write(`${JSON.stringify({ at, instanceId: this.instanceId, ...fields })}\n`);
  }
}
