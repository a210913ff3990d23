import type { Clock, TimerHandle } from '@detector-cluster/election';
import type { RouterEvent } from './router-event.js';

type LossEvent = Extract<RouterEvent, { type: 'backlog-dropped' | 'backlog-refused' | 'buffer-dropped' }>;

/** Losses are reported together: at full load there are thousands a second. Milliseconds. */
const INTERVAL = 1_000;

/** Adds losses up and reports each kind at most once a second: the first at once. */
export class LossReporter {
  private readonly losses = new Map<string, LossEvent>();
  private timer: TimerHandle | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onEvent: (event: RouterEvent) => void,
  ) {}

  add(loss: LossEvent): void {
    const key = 'log' in loss ? `${loss.type} ${loss.log}` : loss.type;
    const known = this.losses.get(key);
    this.losses.set(key, known === undefined ? loss : { ...known, count: known.count + loss.count });
    if (this.timer === undefined) this.flush();
  }

  close(): void {
    if (this.timer !== undefined) this.clock.clearTimeout(this.timer);
    this.report();
    this.timer = undefined;
  }

  private flush(): void {
    this.timer = undefined;
    if (this.losses.size === 0) return;
    this.report();
    this.timer = this.clock.setTimeout(() => this.flush(), INTERVAL);
  }

  private report(): void {
    const losses = [...this.losses.values()];
    this.losses.clear();
    for (const loss of losses) this.onEvent(loss);
  }
}
