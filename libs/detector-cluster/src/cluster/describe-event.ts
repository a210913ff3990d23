import type { ConsumerEvent } from '../delivery/consumer/consumer-event.js';
import type { RouterEvent } from '../delivery/router/router-event.js';
import type { ClusterLogger } from './cluster-logger.js';

/** Says what the sending half of delivery reports. */
export function describeRouterEvent(
  event: Exclude<RouterEvent, { type: 'redis-error' }>,
  logger: ClusterLogger,
): void {
  switch (event.type) {
    case 'backlog-dropped':
      return logger.error(
        `${event.processId} is too slow: its ${event.count} oldest unread detections were dropped (backlog full)`,
      );
    case 'backlog-rejected':
      return logger.error(
        `${event.processId} is too slow: ${event.count} detections were not accepted (backlog full)`,
      );
    case 'buffer-dropped':
      return logger.error(
        `${event.count} detections were not accepted: Redis takes nothing and the buffer is full`,
      );
    case 'discarded':
      return logger.warn(`the term ended before ${event.count} detections were accepted; they are dropped`);
    case 'stream-missing':
      return logger.warn(`${event.processId} has no stream; its detections go to another process`);
    case 'rerouted':
      return logger.log(
        `${event.processId} is gone: ${event.moved} detections moved, ${event.listenerEntriesDiscarded} for its listeners dropped`,
      );
    case 'owner-changed':
      return logger.log(`detections of ${event.workerUrl} go to ${event.to}`);
    case 'owner-change-postponed':
      return logger.debug(
        `detections of ${event.workerUrl} stay with ${event.from} for now: it is not done yet`,
      );
    case 'deposed':
      return logger.warn('a master of a later term has written; this process sends no more detections');
  }
}

/** Says what the receiving half of delivery reports. */
export function describeConsumerEvent(
  event: Exclude<ConsumerEvent, { type: 'redis-error' }>,
  logger: ClusterLogger,
): void {
  switch (event.type) {
    case 'stream-recreated':
      return logger.warn('the stream of this process was gone and has been made anew');
    case 'callback-failed':
      return logger.warn(
        `a callback failed on ${event.detectionId} of ${event.subscriptionIdentifier} (attempt ${event.attempt}): ${event.error.message}`,
      );
    case 'dead-letter':
      return logger.error(
        `gave up on ${event.detectionId} of ${event.subscriptionIdentifier}, now a dead letter: ${event.error.message}`,
      );
    case 'message-unreadable':
      return logger.error(`a message to this process cannot be read: ${event.error.message}`);
    case 'messages-dropped':
      return logger.error(`callbacks do not keep up: ${event.count} detections were dropped`);
    case 'dead-letters-removed':
      return logger.error(`${event.count} oldest dead letters were removed to make room`);
  }
}
