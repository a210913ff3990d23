import {
  type DynamicModule,
  Inject,
  Logger,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EventEmitter2, EventEmitterReadinessWatcher } from '@nestjs/event-emitter';
import { DEFAULT_ELECTION_NAME } from '../shared/resolve-options.js';
import { getMasterElectionToken } from '../election/get-master-election-token.js';
import { type EventSink, forwardElectionEvents } from './forward-election-events.js';

/** Options of `MasterElectionEventEmitterModule.register`. */
export interface MasterElectionEventEmitterOptions {
  /** Names of the elections. Default: that of `forRoot`, `['default']`. */
  readonly elections?: readonly string[];
}

/** Injection token of `MasterElectionEventEmitterOptions`. */
const MASTER_ELECTION_EVENT_EMITTER_OPTIONS = Symbol('MASTER_ELECTION_EVENT_EMITTER_OPTIONS');

/**
 * Emits the events of elections on the `EventEmitter2` of `EventEmitterModule.forRoot()`, for `@OnEvent`, from before their start to
 * after their end. Nest subscribes `@OnEvent` methods while the application starts; earlier events wait for that.
 */
@Module({})
export class MasterElectionEventEmitterModule implements OnModuleInit, OnApplicationShutdown {
  static register(options: MasterElectionEventEmitterOptions = {}): DynamicModule {
    return {
      module: MasterElectionEventEmitterModule,
      providers: [{ provide: MASTER_ELECTION_EVENT_EMITTER_OPTIONS, useValue: options }],
    };
  }

  private readonly logger = new Logger(MasterElectionEventEmitterModule.name);
  private endings: (() => void)[] = [];

  constructor(
    @Inject(MASTER_ELECTION_EVENT_EMITTER_OPTIONS)
    private readonly options: MasterElectionEventEmitterOptions,
    private readonly moduleRef: ModuleRef,
    private readonly emitter: EventEmitter2,
    private readonly readiness: EventEmitterReadinessWatcher,
  ) {}

  onModuleInit(): void {
    const { elections = [DEFAULT_ELECTION_NAME] } = this.options;
    // If Nest could not subscribe a listener, it has logged that. Other listeners may still exist.
    const ready = this.readiness.waitUntilReady().catch(() => undefined);
    const emit: EventSink['emit'] = (name, ...args) => {
      // Each event waits for the same promise, so that they keep their order.
      ready
        .then(() => this.emitter.emit(name, ...args))
        .catch((error: unknown) => this.logger.error('A listener of an election event failed', error));
      return false;
    };
    this.endings = elections.map((name) =>
      forwardElectionEvents(this.moduleRef.get(getMasterElectionToken(name), { strict: false }), { emit }),
    );
  }

  onApplicationShutdown(): void {
    for (const end of this.endings.splice(0)) end();
  }
}
