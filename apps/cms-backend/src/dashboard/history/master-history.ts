import type { WorkerConnectionState } from '@detector-cluster/detector-cluster';
import { clusterKeys, FencedStore } from '@detector-cluster/detector-cluster/store';
import { Repeater } from '@detector-cluster/election/internal';
import { MasterElection } from '@detector-cluster/master-election';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { isRedisUnavailable } from '@detector-cluster/election/internal/redis';
import { SharedRedis } from '../../stores/shared-redis.js';
import { pulseChannel, PulseListener } from '../pulse/pulse-listener.js';
import { FigureBoard, SAMPLE } from './figure-board.js';
import { historyKeys } from './history-keys.js';
import { HistoryRecorder, type HistorySample } from './history-recorder.js';

/**
 * Records the history while this process is master. It reads nothing of the cluster's state from Redis: the master knows its workers
 * and subscriptions, and every process reports its rate and lag in its pulses.
 */
@Injectable()
export class MasterHistory implements OnModuleInit {
  private readonly logger = new Logger('dashboard');
  private refused = false;

  constructor(
    private readonly redis: SharedRedis,
    private readonly election: MasterElection,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.election.on('master-acquired', ({ term }) => this.begin(term));
  }

  private begin(term: number): void {
    const { lease } = this.election;
    if (lease?.term !== term) return;
    const { signal } = lease;
    const { keyPrefix } = this.config.cluster;
    const board = new FigureBoard();
    const store = new FencedStore(this.redis.commands, clusterKeys(keyPrefix).fence, term);
    const recorder = new HistoryRecorder(store, historyKeys(keyPrefix), (message) =>
      this.logger.error(message),
    );
    const listener = new PulseListener({
      subscriber: this.redis.subscriber,
      channel: pulseChannel(this.config),
      onPulse: (pulse) => board.hear(pulse),
      onInvalid: () => undefined,
    });
    signal.addEventListener('abort', () => listener.close(), { once: true });
    const arm = () => {
      const wait = SAMPLE - (Date.now() % SAMPLE);
      // A timer that fires a little early would give an interval two samples and the next one none.
      ticks.poke(wait < SAMPLE / 2 ? wait + SAMPLE : wait);
    };
    const tick = async () => {
      const at = Math.round(Date.now() / SAMPLE) * SAMPLE - SAMPLE;
      const sample = lease.isValid() ? this.sample(board, listener) : null;
      if (sample === null || (await this.record(recorder, sample, at))) arm();
    };
    const ticks = new Repeater({ signal, run: tick });
    arm();
  }

  /** Null until this master has taken over the records of its predecessor. */
  private sample(board: FigureBoard, { listeningSince }: PulseListener): HistorySample | null {
    const { workerStates, subscriptionsByStatus } = this.redis.cluster;
    const figures = board.take(listeningSince === null ? null : performance.now() - listeningSince);
    if (workerStates === null || subscriptionsByStatus === null) return null;
    const loads = new Map(workerStates.map((worker) => [worker.url, loadOf(worker)]));
    return { ...figures, subscriptions: subscriptionsByStatus, loads };
  }

  private async record(recorder: HistoryRecorder, sample: HistorySample, at: number): Promise<boolean> {
    try {
      const taken = await recorder.record(sample, at);
      this.refused = false;
      return taken;
    } catch (error) {
      // Other parts log it.
      if (isRedisUnavailable(error)) return true;
      if (!this.refused) this.logger.warn(`the history cannot be written: ${String(error)}`);
      this.refused = true;
      await recorder.repair();
      return true;
    }
  }
}

/** The busier of processor and GPU: the one that limits the worker. Percent. */
function loadOf({ cpuUsage, gpuUsage }: Pick<WorkerConnectionState, 'cpuUsage' | 'gpuUsage'>): number | null {
  return cpuUsage === null || gpuUsage === null ? (cpuUsage ?? gpuUsage) : Math.max(cpuUsage, gpuUsage);
}
