import { TICK } from '@detector-cluster/dashboard-protocol';
import { databaseOf } from '@detector-cluster/election/redis';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { redisSource, SharedRedis } from '../../stores/shared-redis.js';
import { ProcessPulse } from '../pulse/process-pulse.js';
import type { Pulse } from '../pulse/pulse.schema.js';
import { type Figures, SAMPLE } from './figures.js';
import { figuresChannel } from './history-keys.js';

/** How many pulses one report sums up. */
const PULSES = SAMPLE / TICK;

/**
 * Reports the rate and the lag of this process to the master. A channel of its own keeps the master from reading the pulses of
 * all processes with their detections while no page is open.
 */
@Injectable()
export class FigureReporter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly channel: string;
  private rates: number[] = [];
  private lagMs: number | null = null;
  private end: (() => void) | undefined;

  constructor(
    private readonly redis: SharedRedis,
    private readonly pulse: ProcessPulse,
    @Inject(APP_CONFIG) { cluster, redis: address }: AppConfig,
  ) {
    this.channel = figuresChannel(cluster.keyPrefix, databaseOf(redisSource(address)));
  }

  onApplicationBootstrap(): void {
    this.end = this.pulse.listen((pulse) => this.take(pulse));
    // The first pulse covers the time before the start.
    this.rates = [];
    this.lagMs = null;
  }

  beforeApplicationShutdown(): void {
    this.end?.();
  }

  private take({ process, detections }: Pulse): void {
    // The lag of a process without new detections is the lag of its last detections.
    if (detections.length > 0 && process.lagMs !== null)
      this.lagMs = Math.max(this.lagMs ?? process.lagMs, process.lagMs);
    this.rates.push(process.detectionsPerSecond);
    if (this.rates.length < PULSES) return;
    const figures: Figures = {
      version: 2,
      processId: process.processId,
      detectionsPerSecond: this.rates.reduce((sum, rate) => sum + rate, 0) / this.rates.length,
      lagMs: this.lagMs,
    };
    this.rates = [];
    this.lagMs = null;
    // Without Redis, the master records nothing anyway. If Redis refuses the message, the pulse reports it.
    this.redis.commands.publish(this.channel, JSON.stringify(figures)).catch(() => undefined);
  }
}
