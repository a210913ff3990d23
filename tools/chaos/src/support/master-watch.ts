import type { AppProcess } from '@detector-cluster/local-cluster';
import { pause } from './until.js';

/** Between two rounds of questions. Milliseconds. */
const INTERVAL = 50;
const TIMEOUT = 2_000;

/** Asks all backends in turn, again and again, whether they are master. Their answers do not depend on Redis. */
export class MasterWatch {
  /** How often a backend called itself master between two answers of another one that did so as well. */
  rivals = 0;
  /** Masters by their last answer, with those that have said so since. */
  private readonly masters = new Map<AppProcess, Set<AppProcess>>();
  private readonly ended = new AbortController();
  private readonly watching: Promise<void>;

  constructor(private readonly backends: readonly AppProcess[]) {
    this.watching = this.watch();
  }

  /** The only backend that calls itself master. */
  get master(): AppProcess | null {
    const [master = null, ...others] = this.masters.keys();
    return others.length === 0 ? master : null;
  }

  async end(): Promise<void> {
    this.ended.abort();
    await this.watching;
  }

  private async watch(): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      for (const backend of this.backends) this.note(backend, await isMaster(backend));
      await pause(INTERVAL, signal).catch(() => undefined);
    }
  }

  private note(backend: AppProcess, leads: boolean): void {
    const rivals = this.masters.get(backend);
    this.masters.delete(backend);
    if (!leads) return;
    this.rivals += rivals?.size ?? 0;
    for (const since of this.masters.values()) since.add(backend);
    this.masters.set(backend, new Set());
  }
}

async function isMaster({ url }: AppProcess): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT) });
    return ((await answer.json()) as { readonly isMaster: boolean }).isMaster;
  } catch {
    return false;
  }
}
