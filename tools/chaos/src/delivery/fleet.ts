import type { AppProcess } from '@detector-cluster/local-cluster';

/** A backend that has been up for this long has had time to take over. Milliseconds. */
const SETTLED = 5_000;

/**
 * The backends, and which of them are well. At least one backend that has settled always stays well: if all were harmed before
 * any has taken over, nothing could be delivered, and the run would show nothing.
 */
export class Fleet {
  /** Backend → since when it is well. */
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
   * Takes backends that are well, to be harmed.
   * @param place in [0, 1): which of them
   * @param suits which of them at all
   * @returns undefined while too few suit, or no settled backend would stay well
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

  /** Undoes the harm in the background. The backend is well when `heal` has resolved. */
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

  /** Resolves when every backend is well. */
  async allWell(): Promise<void> {
    await Promise.all(this.healing);
    this.check();
  }
}
