import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@detector-cluster/local-cluster';

/** As npm links it. */
export const PROGRAM = fileURLToPath(new URL('../../../apps/elector/bin/elector.mjs', import.meta.url));

/** For what happens at last. Milliseconds. */
export const TIMEOUT = 60_000;

/** One line of what `--json` writes. */
export type ElectorEvent = Readonly<Record<string, unknown>> & { readonly event: string };

/** The command line program as a process. */
export class ElectorProcess {
  stdout = '';
  stderr = '';
  /** Resolves with the exit code when it has ended and all its output was read. */
  readonly exit: Promise<number | null>;

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    /** What was given as `--instance-id`. */
    readonly id: string,
  ) {
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    // What it did not wait to read.
    child.stdin.on('error', () => undefined);
    this.exit = once(child, 'close').then(([code]) => code as number | null);
  }

  static start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ElectorProcess {
    const child = spawn(PROGRAM, args, { env: { ...process.env, ...env } });
    return new ElectorProcess(child, args[args.indexOf('--instance-id') + 1] ?? '');
  }

  get pid(): number {
    return this.child.pid!;
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** What was written with `--json` so far. */
  get events(): ElectorEvent[] {
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as ElectorEvent);
  }

  /** Resolves with the first event of a name that fits; `index` counts the events of that name. */
  event(
    name: string,
    fits: (event: ElectorEvent, index: number) => boolean = () => true,
  ): Promise<ElectorEvent> {
    return waitFor(
      `event '${name}'`,
      TIMEOUT,
      () => this.events.filter(({ event }) => event === name).find(fits) ?? null,
      () => this.stdout + this.stderr,
    );
  }

  write(text: string): void {
    this.child.stdin.write(text);
  }

  endInput(): void {
    this.child.stdin.end();
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** SIGKILL. */
  kill(): void {
    if (this.alive) this.child.kill('SIGKILL');
  }
}
