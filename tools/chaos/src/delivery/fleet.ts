import type { AppProcess } from '@detector-cluster/local-cluster';

/** After this uptime, a backend has had time to take over. Milliseconds. */
const SETTLED = 5_000;

/**
 * The backends and their health. At least one settled backend always stays healthy: if all failed before any had taken over,
 * nothing could be delivered, and the run would show nothing.
 */
export class Fleet {
  /** Backend → when it became healthy. */
  private readonly well = new Map<AppProcess, number>();
  private readonly healing = new Set<Promise<void>>();
  private failure: unknown;

  constructor(private readonly backends: readonly AppProcess[]) {
    for (const backend of backends) this.well.set(backend, Number.NEGATIVE_INFINITY);
  }

  /** Backends that should answer. */
  get unharmed(): AppProcess[] {
    return this.backends.filter((backend) => this.well.has(backend));
  }

  /**
   * Takes healthy backends for a fault.
   * @param place in [0, 1): selects among them
   * @param suits which backends are eligible
   * @returns undefined if too few are eligible, or no settled backend would stay healthy
   */
  take(
    count: number,
    place: number,
    suits: (backend: AppProcess) => boolean = () => true,
  ): AppProcess[] | undefined {
    const candidates = this.unharmed.filter(suits);
    const from = Math.floor(place * candidates.length);
    const victims = [...candidates.slice(from), ...candidates.slice(0, from)].slice(0, count);
    const settled = performance.now() - SETTLED;
    const others = this.unharmed.filter((backend) => !victims.includes(backend));
    if (victims.length < count || !others.some((backend) => this.well.get(backend)! <= settled))
      return undefined;
    for (const victim of victims) this.well.delete(victim);
    return victims;
  }

  /** Undoes the fault in the background. The backend is healthy when `heal` has resolved. */
  heal(victim: AppProcess, heal: () => Promise<void>): void {
    const healed = heal().then(() => void this.well.set(victim, performance.now()));
    this.healing.add(healed);
    healed.then(
      () => this.healing.delete(healed),
      (error: unknown) => (this.failure ??= error),
    );
  }

  /** Throws if a backend did not recover. */
  check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  /** Resolves when every backend is healthy. */
  async allWell(): Promise<void> {
    await Promise.all(this.healing);
    this.check();
  }
}
