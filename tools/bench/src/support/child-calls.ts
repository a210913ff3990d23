import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The functions of a child that its parent may call: `typeof calls` in the child. Arguments and results are JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- any function that the child serves
export type Calls<T> = { [K in keyof T]: (...args: any[]) => unknown };

interface Request {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

interface News {
  readonly news: number;
}

/** A child that has not started after this time is killed. Milliseconds. */
const TIMEOUT = 60_000;

/** Id of the answer that a child sends by itself after its start. */
const STARTED = 0;

/** A child process whose functions the benchmark calls over IPC. */
export class ChildCalls<T extends Calls<T>> {
  private readonly answers = new EventEmitter();
  private readonly ended = new AbortController();
  private calls = STARTED;
  private onNews: (news: number) => void = () => undefined;

  private constructor(
    private readonly name: string,
    private readonly process: ChildProcess,
  ) {
    process.on('message', (message: Answer | News) => {
      if ('news' in message) this.onNews(message.news);
      else this.answers.emit(String(message.id), message);
    });
    process.on('exit', (code, signal) =>
      this.ended.abort(new Error(`${name} ended with ${signal ?? `code ${code}`}`)),
    );
  }

  /** Resolves when the child answers calls. The child reads `argument` with {@link childArgument}. */
  static async start<T extends Calls<T>>(
    name: string,
    module: URL,
    argument: unknown,
    nodeArguments: readonly string[] = [],
  ): Promise<ChildCalls<T>> {
    const child = new ChildCalls<T>(
      name,
      fork(fileURLToPath(module), [JSON.stringify(argument)], {
        execArgv: [...nodeArguments, ...profileArguments(name)],
        env: { ...process.env, NODE_ENV: 'production' },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    );
    const timer = setTimeout(() => child.process.kill('SIGKILL'), TIMEOUT);
    try {
      await child.answer(STARTED);
    } finally {
      clearTimeout(timer);
    }
    return child;
  }

  get pid(): number {
    return this.process.pid!;
  }

  call<K extends keyof T & string>(method: K, ...args: Parameters<T[K]>): Promise<Awaited<ReturnType<T[K]>>> {
    const id = ++this.calls;
    const answer = this.answer(id);
    this.process.send({ id, method, args } satisfies Request);
    return answer as Promise<Awaited<ReturnType<T[K]>>>;
  }

  /** Sends a number to the child, without an answer. */
  send(news: number): void {
    this.process.send({ news } satisfies News);
  }

  /** Calls `listener` with every number that the child sends. Replaces the previous listener. */
  listen(listener: (news: number) => void): void {
    this.onNews = listener;
  }

  /** Lets the child exit by itself, because a killed process writes no profile. */
  async stop(): Promise<void> {
    if (this.ended.signal.aborted) return;
    const exit = once(this.process, 'exit');
    if (this.process.connected) this.process.disconnect();
    await exit;
  }

  private async answer(id: number): Promise<unknown> {
    const { signal } = this.ended;
    const [{ value, error }] = (await once(this.answers, String(id), { signal })) as [Answer];
    if (error !== undefined) throw new Error(`${this.name}: ${error}`);
    return value;
  }
}

/** In the child: returns the argument of its parent. */
export function childArgument<A>(): A {
  return JSON.parse(process.argv[2]!) as A;
}

/** In the child: answers the calls of its parent, and exits when the parent does. */
export function serveCalls<T extends Calls<T>>(
  calls: T,
  onNews: (news: number) => void = () => undefined,
): void {
  const serve = async ({ id, method, args }: Request): Promise<Answer> => {
    try {
      return { id, value: await calls[method as keyof T](...args) };
    } catch (error) {
      return { id, error: (error as Error).message };
    }
  };
  process.on('message', (message: Request | News) => {
    if ('news' in message) onNews(message.news);
    else void serve(message).then((answer) => process.send!(answer));
  });
  process.on('disconnect', () => process.exit());
  process.send!({ id: STARTED } satisfies Answer);
}

/** In the child: sends a number to the parent. */
export function reportToParent(news: number): void {
  process.send!({ news } satisfies News);
}

/** With `CPU_PROFILE=<directory>`, each child writes a processor profile there. */
function profileArguments(name: string): string[] {
  const directory = process.env.CPU_PROFILE;
  if (directory === undefined) return [];
  return ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`];
}
