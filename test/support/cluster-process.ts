import type { RedisSource } from '@detector-cluster/election/redis';
import {
  DetectorCluster,
  DetectorClusterModule,
  StaticModelUrlProvider,
  type DesiredStateSource,
  type DetectorClusterOptions,
  type ModelUrlProvider,
  type SubscriptionTrigger,
  type WorkerOption,
} from '@detector-cluster/detector-cluster';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import type { LoggerService } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { answered } from './until.js';

export interface ClusterProcessOptions {
  /** Of all keys; processes with the same one are a cluster. */
  readonly prefix: string;
  readonly workers: readonly WorkerOption[];
  readonly redis?: RedisSource;
  readonly logger?: LoggerService;
  readonly desiredState?: DesiredStateSource;
  /** Of subscriptions of `desiredState`. Default: one that knows every model. */
  readonly modelUrl?: ModelUrlProvider;
  readonly trigger?: SubscriptionTrigger;
  readonly acceptance?: DetectorClusterOptions['acceptance'];
  readonly canary?: DetectorClusterOptions['canary'];
  readonly timings?: DetectorClusterOptions['timings'] & {};
  readonly providers?: readonly (new (...args: never[]) => unknown)[];
  readonly imports?: readonly (new () => unknown)[];
}

const SILENT: LoggerService = { log: () => {}, warn: () => {}, error: () => {} };

/** One backend process of a cluster, as a Nest application in this process. */
export class ClusterProcess {
  private constructor(readonly app: TestingModule) {}

  static async start(options: ClusterProcessOptions): Promise<ClusterProcess> {
    const {
      prefix,
      redis = process.env.REDIS_URL!,
      workers,
      providers = [],
      imports = [],
      desiredState,
      modelUrl = new StaticModelUrlProvider('http://m'),
      trigger,
      acceptance,
      canary,
      timings = {},
    } = options;
    const app = await Test.createTestingModule({
      imports: [
        MasterElectionModule.forRoot({
          redis,
          timing: 'fast',
          lockName: `${prefix}election`,
          isGlobal: true,
        }),
        DetectorClusterModule.forRoot({
          redis,
          keyPrefix: prefix,
          workers,
          isGlobal: true,
          timings,
          ...(trigger && { trigger }),
          ...(canary && { canary }),
          ...(acceptance && { acceptance }),
          ...(desiredState && { desiredState, modelUrl }),
        }),
        ...imports,
      ],
      providers: [...providers],
    })
      .setLogger(options.logger ?? SILENT)
      .compile();
    try {
      await app.init();
    } catch (error) {
      await app.close();
      throw error;
    }
    const started = new ClusterProcess(app);
    await started.election.waitForElectionComplete();
    return started;
  }

  get cluster(): DetectorCluster {
    return this.app.get(DetectorCluster);
  }

  get election(): MasterElection {
    return this.app.get(MasterElection);
  }

  /** Waits until everything that is desired runs; there must be as many subscriptions as given. */
  async active(count: number): Promise<void> {
    for (;;) {
      const seen = await answered(() => this.cluster.getSubscriptions());
      if (
        seen?.subscriptions.length === count &&
        seen.subscriptions.every(({ status }) => status === 'active')
      )
        return;
      await sleep(20);
    }
  }

  stop(): Promise<void> {
    return this.app.close();
  }
}
