/**
 * Events of the group for `@OnEvent` of `@nestjs/event-emitter`.
 *
 * @example
 * ```ts
 * import { groupEventName } from '@detector-cluster/group-membership/nest/event-emitter';
 * import { Injectable } from '@nestjs/common';
 * import { OnEvent } from '@nestjs/event-emitter';
 *
 * @Injectable()
 * export class Reports {
 *   @OnEvent(groupEventName('leader'))
 *   changed() {
 *     console.log('another member leads');
 *   }
 * }
 * ```
 * @packageDocumentation
 */
import { errorMonitor } from 'node:events';
import { Logger, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EventEmitter2, EventEmitterReadinessWatcher } from '@nestjs/event-emitter';
import type { GroupMemberEvents } from '../session/group-options.js';
import { GroupMembership } from './group-membership.js';

export type ForwardedGroupEvent = keyof GroupMemberEvents;

const EVENTS: Readonly<Record<ForwardedGroupEvent, true>> = {
  joined: true,
  left: true,
  member: true,
  leader: true,
  lease: true,
  lost: true,
  error: true,
};

/** Name under which an event of the group is emitted: `group-membership.<event>`. For `@OnEvent`. */
export const groupEventName = (event: ForwardedGroupEvent) => `group-membership.${event}`;

/** Emits the events of the group on the `EventEmitter2` of `EventEmitterModule.forRoot()`, for `@OnEvent`. */
@Module({})
export class GroupMembershipEventEmitterModule implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('GroupMembershipEventEmitter');
  private endings: (() => void)[] = [];

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly emitter: EventEmitter2,
    private readonly readiness: EventEmitterReadinessWatcher,
  ) {}

  onModuleInit(): void {
    const membership = this.moduleRef.get(GroupMembership, { strict: false });
    // If Nest could not mount listeners, it has reported that, and other listeners may still work.
    const ready = this.readiness.waitUntilReady().catch(() => undefined);
    this.endings = (Object.keys(EVENTS) as ForwardedGroupEvent[]).map((event) => {
      // A listener of `error` itself would count as an error handler.
      const heard = event === 'error' ? (errorMonitor as unknown as 'error') : event;
      return membership.on(heard, (...args: unknown[]) => {
        // Each event waits for the same promise, so that they keep their order.
        ready
          .then(() => this.emitter.emit(groupEventName(event), ...args))
          .catch((error: unknown) => this.logger.error(`a listener of '${event}' failed: ${String(error)}`));
      });
    });
  }

  onApplicationShutdown(): void {
    for (const end of this.endings.splice(0)) end();
  }
}
