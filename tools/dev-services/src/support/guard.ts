import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/**
 * The shell program between a server and its owner, the process that started it. It reads calls of its own functions from
 * standard input and answers each with one line. End of file means that the owner has ended: the kernel closes the pipe even
 * after SIGKILL. Then the guard stops the server and removes its directory.
 *
 * Arguments: directory, signal that stops the server (without `SIG`), timeout in tenths of a second before SIGKILL.
 *
 * - A stopped (SIGSTOP) server is continued first, because otherwise it would never get the signal. SIGKILL needs no such help, and a
 *   frozen server that is killed must not run once more.
 * - Zombies: a shell reaps its children while it waits for `sleep`, so `kill -0` is reliable here.
 * - If `setpriv` supports parent death signals, the server also dies when the guard itself is killed.
 * - PIPE is ignored, because the answer to an owner that died in the meantime would end the shell before its clean-up.
 */
const GUARD_SCRIPT = `
dir=$1 sig=$2 timeout=$3 pid= belt=
if setpriv --pdeathsig KILL true; then belt="setpriv --pdeathsig $sig"; fi 2>/dev/null
stop() {
  [ -n "$pid" ] || return 0
  [ "$1" = KILL ] || kill -s CONT "$pid"
  kill -s "$1" "$pid"
  left=$timeout
  while [ "$1" != KILL ] && kill -0 "$pid"; do
    [ "$left" -gt 0 ] || { kill -s KILL "$pid"; break; }
    sleep 0.1
    left=$((left - 1))
  done
  wait "$pid"
  pid=
} 2>/dev/null
prepare() { "$@" </dev/null >>"$dir/log" 2>&1; echo "$?"; }
start() {
  [ -z "$pid" ] || wait "$pid"
  $belt "$@" </dev/null >>"$dir/log" 2>&1 &
  pid=$!
  echo "$pid"
}
halt() { stop "$1"; echo halted; }
trap '' PIPE
trap exit HUP INT TERM
trap 'stop "$sig"; rm -rf "$dir"' EXIT
while IFS= read -r call; do eval "$call"; done
`;

/** The server of a guard, and how the guard ends it. */
export interface GuardOptions {
  /** Absolute path; removed with everything in it when the guard ends. The server's output goes to `log` inside. */
  directory: string;
  /** The signal that stops the server after the owner has ended. */
  stopSignal: 'KILL' | 'QUIT' | 'TERM';
  /** How long the server may take to stop before it is killed, in milliseconds. */
  timeout: number;
  /** Runs guard and server as another user; needs root. */
  user?: { uid: number; gid: number } | undefined;
}

/**
 * Handle of one guard process (see `GUARD_SCRIPT`). It does not keep this process alive. If this process ends without
 * `close()`, the guard cleans up by itself.
 */
export class Guard {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly pending: { resolve(answer: string): void; reject(error: Error): void }[] = [];
  private ended = false;

  constructor(options: GuardOptions) {
    this.child = spawn(
      '/bin/sh',
      [
        '-c',
        GUARD_SCRIPT,
        'guard',
        options.directory,
        options.stopSignal,
        String(Math.ceil(options.timeout / 100)),
      ],
      {
        // A separate session, so that Ctrl-C in the terminal reaches only the owner.
        detached: true,
        cwd: '/',
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { PATH: [process.env.PATH, '/usr/bin', '/bin'].filter(Boolean).join(':'), LC_ALL: 'C' },
        ...options.user,
      },
    );
    this.child.once('error', (error) => this.fail(error));
    this.child.once('exit', () => this.fail(new Error('the guard of a server has ended')));
    // After a write to an ended guard, `exit` is reported too; the pipe's own error adds nothing.
    this.child.stdin.on('error', () => undefined);
    createInterface({ input: this.child.stdout }).on('line', (line) => this.pending.shift()?.resolve(line));
    this.keepAlive(false);
  }

  /** Runs a command in the foreground and returns its exit code. */
  async prepare(command: readonly string[]): Promise<number> {
    return Number(await this.call('prepare', command));
  }

  /** Starts the server and returns its process id. The previous server must be dead. */
  async start(command: readonly string[]): Promise<number> {
    return Number(await this.call('start', command));
  }

  /** Ends the server and waits for it; guard and directory stay. */
  async halt(signal: 'KILL' | 'QUIT' | 'TERM' | 'INT'): Promise<void> {
    await this.call('halt', [signal]);
  }

  /** Ends server and guard and waits until the directory is gone. */
  async close(): Promise<void> {
    if (this.ended) return;
    this.keepAlive(true);
    const exit = once(this.child, 'exit');
    this.child.stdin.end();
    await exit;
  }

  private async call(name: string, args: readonly string[]): Promise<string> {
    if (this.ended) throw new Error('the guard of a server has ended');
    if (args.some((arg) => /[\n\0]/.test(arg)))
      throw new TypeError('a command line with a line break or NUL cannot be guarded');
    this.keepAlive(true);
    try {
      return await new Promise<string>((resolve, reject) => {
        this.pending.push({ resolve, reject });
        this.child.stdin.write(`${[name, ...args.map(quote)].join(' ')}\n`);
      });
    } finally {
      if (this.pending.length === 0) this.keepAlive(false);
    }
  }

  private fail(error: Error): void {
    this.ended = true;
    for (const { reject } of this.pending.splice(0)) reject(error);
  }

  private keepAlive(on: boolean): void {
    const handles = [this.child, this.child.stdin, this.child.stdout] as unknown as NodeJS.RefCounted[];
    for (const handle of handles)
      if (on) handle.ref?.();
      else handle.unref?.();
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
