import { TICK } from '@detector-cluster/dashboard-protocol';
import { MasterElection } from '@detector-cluster/master-election';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { RecentDetections } from '../../detections/recent-detections.js';
import { SharedRedis } from '../../stores/shared-redis.js';
import { isRedisUnavailable } from '@detector-cluster/election/internal/redis';
import { DetectionTail } from './detection-tail.js';
import { pulseChannel } from './pulse-listener.js';
import { type Pulse, PULSE_DETECTIONS } from './pulse.schema.js';

/** How long the last lag is shown without detections, so that it does not flicker when one arrives every few seconds. Milliseconds. */
const LAG_KEPT = 15_000;

/** The rate is the mean of so many beats: workers send their detections in bursts, which are no change of the load. */
const RATE_BEATS = 10;

/** Sends the state of this process to the pages of all processes every second. */
@Injectable()
export class ProcessPulse implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('dashboard');
  private readonly channel: string;
  private readonly startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  private readonly tail: DetectionTail;
  private readonly listeners = new Set<(pulse: Pulse) => void>();
  private timer: NodeJS.Timeout | undefined;
  /** The last beats, oldest first. */
  private readonly beats = [{ delivered: 0, at: performance.now() }];
  private rate = 0;
  private lag: { readonly ms: number; readonly at: number } | null = null;
  private refused = false;

  constructor(
    private readonly redis: SharedRedis,
    private readonly election: MasterElection,
    private readonly recent: RecentDetections,
    @Inject(APP_CONFIG) config: AppConfig,
  ) {
    this.channel = pulseChannel(config);
    this.tail = new DetectionTail(recent, election.getNodeId());
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.beat(), TICK);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.beat(true);
  }

  /**
   * Passes on the pulses of this process, also while Redis is unavailable, and the first one at once. Returns a function that ends
   * this.
   */
  listen(listener: (pulse: Pulse) => void): () => void {
    this.listeners.add(listener);
    listener({
      version: 2,
      process: this.figures(),
      detections: [...this.tail.past(PULSE_DETECTIONS)],
      skippedDetections: 0,
      leaving: false,
    });
    return () => this.listeners.delete(listener);
  }

  private async beat(leaving = false): Promise<void> {
    const pulse = this.next(leaving);
    for (const listener of this.listeners) listener(pulse);
    try {
      await this.redis.commands.publish(this.channel, JSON.stringify(pulse));
      this.refused = false;
    } catch (error) {
      // If Redis is unavailable, other parts log it.
      if (isRedisUnavailable(error) || this.refused) return;
      this.refused = true;
      this.logger.warn(`other processes do not hear of this one on ${this.channel}: ${String(error)}`);
    }
  }

  private next(leaving: boolean): Pulse {
    const { items, skipped, lagMs } = this.tail.next(PULSE_DETECTIONS);
    const now = performance.now();
    if (lagMs !== null) this.lag = { ms: lagMs, at: now };
    else if (this.lag !== null && now - this.lag.at > LAG_KEPT) this.lag = null;
    const { delivered } = this.recent.stats();
    const [oldest] = this.beats;
    this.rate = (delivered - oldest!.delivered) / ((now - oldest!.at) / 1_000);
    this.beats.push({ delivered, at: now });
    if (this.beats.length > RATE_BEATS) this.beats.shift();
    return {
      version: 2,
      process: this.figures(),
      detections: [...items],
      skippedDetections: skipped,
      leaving,
    };
  }

  private figures(): Pulse['process'] {
    const { role, mayAct, term, leaseAge } = this.election.getStatus();
    const { delivered, redelivered } = this.recent.stats();
    return {
      processId: this.election.getNodeId(),
      identifier: this.election.getIdentifier(),
      role: role === 'master' ? 'master' : 'follower',
      mayAct,
      term,
      leaseAgeMs: leaseAge === null ? null : Math.round(leaseAge),
      detectionsPerSecond: Math.round(this.rate * 10) / 10,
      delivered,
      redelivered,
      dropped: this.redis.cluster.droppedDetections,
      lagMs: this.lag?.ms ?? null,
      startedAt: this.startedAt,
    };
  }
}
