import { answerWithin, type AppProcess } from '@detector-cluster/local-cluster';
import { ClaimCheck, type History } from '@detector-cluster/history';
import { pause } from './until.js';

/** Between two rounds of questions. Milliseconds. */
const INTERVAL = 50;
const TIMEOUT = 2_000;

/** Asks all backends in turn, again and again, whether they are master. Their answers do not depend on Redis. */
export class MasterWatch {
  readonly claims = new ClaimCheck();
  private readonly ended = new AbortController();
  private readonly watching: Promise<void>;

  constructor(
    private readonly backends: readonly AppProcess[],
    private readonly history: History,
  ) {
    this.watching = this.watch();
  }

  /** The only backend that calls itself master. */
  get master(): AppProcess | null {
    const { master } = this.claims;
    return this.backends.find(({ name }) => name === master) ?? null;
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

  private note({ name }: AppProcess, term: number | null): void {
    const claim = { process: name, term, at: Date.now() };
    this.history.write({ claim });
    this.claims.note(claim);
  }
}

interface HealthAnswer {
  readonly isMaster: boolean;
  readonly checks: { readonly election: { readonly term: number } };
}

/** The term in which a backend calls itself master. */
async function masterTerm({ url }: AppProcess): Promise<number | null> {
  try {
    const ask = async () => {
      const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT) });
      return (await answer.json()) as HealthAnswer;
    };
    const { isMaster, checks } = await answerWithin(TIMEOUT, ask);
    return isMaster ? checks.election.term : null;
  } catch {
    return null;
  }
}
