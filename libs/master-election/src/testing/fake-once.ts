import { Elector, type Lease } from '@detector-cluster/election';
import { ElectionStoppedError } from '../errors.js';
import { FakeBackend } from './fake-backend.js';

/** `runOnce` in memory: completed work stays completed while this object lives. */
export class FakeOnce {
  private readonly works = new Map<string, Promise<void>>();
  private readonly electors = new Set<Elector>();
  private readonly stopping = new AbortController();

  async run(key: string, work: (lease: Lease) => unknown): Promise<boolean> {
    for (let other = this.works.get(key); other; other = this.works.get(key))
      if (await other.then(isDone, isNotDone)) return false;
    this.stopping.signal.throwIfAborted();
    const running = this.work(work);
    this.works.set(key, running);
    try {
      await running;
      return true;
    } catch (error) {
      this.works.delete(key);
      throw error;
    }
  }

  /** Aborts work in progress. */
  async stop(): Promise<void> {
    this.stopping.abort(new ElectionStoppedError());
    await Promise.all([...this.electors].map((elector) => elector.stop()));
  }

  private async work(work: (lease: Lease) => unknown): Promise<void> {
    const backend = new FakeBackend();
    const elector = new Elector({ backend, candidate: { id: 'once' } });
    this.electors.add(elector);
    try {
      backend.grant('vacant');
      elector.start();
      await this.acquired(elector);
      const lease = elector.lease!;
      await work(lease);
      lease.signal.throwIfAborted();
    } finally {
      this.electors.delete(elector);
      await elector.stop();
    }
  }

  private acquired(elector: Elector): Promise<void> {
    const { signal } = this.stopping;
    return new Promise((resolve, reject) => {
      elector.once('acquired', () => resolve());
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }
}

const isDone = () => true;
const isNotDone = () => false;
