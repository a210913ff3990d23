import type { AppProcess } from '@detector-cluster/local-cluster';
import { pause } from './until.js';

/** Between two rounds of questions. Milliseconds. */
const INTERVAL = 50;
const TIMEOUT = 2_000;

/** Asks all backends in turn, again and again, whether they are master. Their answers do not depend on Redis. */
export class MasterWatch {
  /** How often a backend called itself master between two answers of another one that did so as well. */
  rivals = 0;
  /** How often a backend became master after another one, or again. */
  changes = -1;
  /** Terms of masters that were not higher than that of an earlier one. */
  termsBack = 0;
  private term = 0;
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
      for (const backend of this.backends) this.note(backend, await masterTerm(backend));
      await pause(INTERVAL, signal).catch(() => undefined);
    }
  }

  private note(backend: AppProcess, term: number | null): void {
    const rivals = this.masters.get(backend);
    this.masters.delete(backend);
    if (term === null) return;
    if (term !== this.term) this.changes++;
    if (term < this.term) this.termsBack++;
    this.term = term;
    this.rivals += rivals?.size ?? 0;
    for (const since of this.masters.values()) since.add(backend);
    this.masters.set(backend, new Set());
  }
}

interface HealthAnswer {
  readonly isMaster: boolean;
  readonly checks: { readonly election: { readonly term: number } };
}

/** The term in which a backend calls itself master. */
async function masterTerm({ url }: AppProcess): Promise<number | null> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT) });
    const { isMaster, checks } = (await answer.json()) as HealthAnswer;
    return isMaster ? checks.election.term : null;
  } catch {
    return null;
  }
}
