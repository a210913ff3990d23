import { Module, type DynamicModule } from '@nestjs/common';
import type { MasterElectionEventEmitterOptions } from './master-election-event-emitter-options.js';
import { MasterElectionEventEmitterService } from './master-election-event-emitter.service.js';
import { MASTER_ELECTION_EVENT_EMITTER_OPTIONS } from './master-election-event-emitter.tokens.js';

/** Emits the events of elections on the `EventEmitter2` of `EventEmitterModule.forRoot()`, for `@OnEvent`. */
@Module({})
export class MasterElectionEventEmitterModule {
  static register(options: MasterElectionEventEmitterOptions = {}): DynamicModule {
    return {
      module: MasterElectionEventEmitterModule,
      providers: [
        { provide: MASTER_ELECTION_EVENT_EMITTER_OPTIONS, useValue: options },
        MasterElectionEventEmitterService,
      ],
    };
  }
}
