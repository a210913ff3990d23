import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { waitFor } from '@detector-cluster/local-cluster';
import { TIMEOUT } from './elector-process.js';

/** An interactive shell in a terminal of its own, as a person uses it. The program `script` of util-linux makes the terminal. */
export class Terminal {
  private shown = '';
  private seen = 0;
  private device = '';

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    child.stdin.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.shown += text));
  }

  static async open(): Promise<Terminal> {
    const child = spawn('script', ['-qfc', 'bash --norc --noprofile -i', '/dev/null'], {
      env: { ...process.env, TERM: 'dumb' },
    });
    const terminal = new Terminal(child);
    // What is typed is shown, too: the prompt is not what sets it.
    await terminal.type("bind 'set enable-bracketed-paste off'; PS1='rea''dy> '");
    await terminal.shows(/ready> $/);
    await terminal.type('tty');
    [terminal.device = ''] = await terminal.shows(/\/dev\/pts\/\d+/);
    await terminal.shows(/ready> $/);
    return terminal;
  }

  async type(line: string): Promise<void> {
    await this.press(`${line}\n`);
  }

  /** Sends characters: `\x03` is Ctrl-C, `\x1a` is Ctrl-Z, `\x1c` is Ctrl-\\. */
  press(keys: string): Promise<void> {
    this.seen = this.shown.length;
    return new Promise((resolve) => this.child.stdin.write(keys, () => resolve()));
  }

  /** Resolves when it shows this after the last keys. */
  shows(text: RegExp): Promise<RegExpExecArray> {
    return waitFor(
      String(text),
      TIMEOUT,
      () => text.exec(this.shown.slice(this.seen)),
      () => this.shown,
    );
  }

  /** What it has shown after the last keys. */
  get news(): string {
    return this.shown.slice(this.seen);
  }

  async widen(columns: number): Promise<void> {
    await promisify(execFile)('stty', ['-F', this.device, 'cols', `${columns}`]);
  }

  /** The terminal hangs up. */
  close(): void {
    this.child.kill('SIGKILL');
  }
}
