import type { ConsumerEvent, RouterEvent } from '@detector-cluster/delivery';
import { redactText } from '../shared/redact-url.js';
import type { ClusterLogger } from '../operators/worker-logger.js';

/** Logs events of the sending half of delivery. */
export function describeRouterEvent(
  event: Exclude<RouterEvent, { type: 'redis-error' }>,
  logger: ClusterLogger,
): void {
  switch (event.type) {
    case 'backlog-dropped':
      return logger.error(
        `${event.log} is full: its ${event.count} oldest detections were dropped; callbacks are too slow`,
      );
    case 'backlog-refused':
      return logger.error(
        `${event.log} is full: ${event.count} detections were not accepted; callbacks are too slow`,
      );
    case 'buffer-dropped':
      return logger.error(
        `${event.count} detections of worker ${event.worker} were not accepted: Redis does not take them, and the buffer is full`,
      );
    case 'discarded':
      return logger.warn(`the term ended before ${event.count} detections were accepted; they are dropped`);
    case 'partitions-taken':
      return logger.log(`${event.to} owns ${partitions(event.partitions)}`);
    case 'hand-over-asked':
      return logger.debug(
        `${partitions(event.partitions)} will go to ${event.to} when their owners have finished`,
      );
    case 'partitions-pending':
      return logger.warn(
        `the option partitions is ${event.wanted}, the cluster has ${event.present}: the change waits until all partitions are empty`,
      );
    case 'partitions-changed':
      return logger.log(`the number of partitions has changed from ${event.from} to ${event.to}`);
    case 'foreign-term':
      return logger.error(
        `another program wrote a term to ${event.log} that has never begun: ${event.count} entries were moved to the dead letters`,
      );
    case 'deposed':
      return logger.warn('a master of a later term has written; this process sends no more detections');
  }
}

/** Logs events of the receiving half of delivery. */
export function describeConsumerEvent(
  event: Exclude<ConsumerEvent, { type: 'redis-error' }>,
  logger: ClusterLogger,
): void {
  switch (event.type) {
    case 'partition-gained':
      return logger.debug(`this process owns partition ${event.partition} (epoch ${event.epoch})`);
    case 'partition-lost':
      return logger.debug(`this process does not own partition ${event.partition} any more`);
    case 'callback-failed':
      return logger.warn(
        `a callback failed on ${event.detectionId} of ${event.subscriptionIdentifier} (attempt ${event.attempt}): ${redactText(event.error.message)}`,
      );
    case 'dead-letter':
      return logger.error(
        `gave up on ${event.detectionId} of ${event.subscriptionIdentifier}, now a dead letter: ${redactText(event.error.message)}`,
      );
    case 'unreadable-entry':
      return logger.error(
        `an entry of ${event.log} cannot be read, ${event.id} is now a dead letter: ${redactText(event.error.message)}`,
      );
    case 'dead-letters-removed':
      return logger.error(`${event.count} oldest dead letters were removed to make room`);
  }
}

function partitions(numbers: readonly number[]): string {
  return numbers.length === 1 ? `partition ${numbers[0]}` : `partitions ${numbers.join(', ')}`;
}
