import { Logger } from '@nestjs/common';
import { escapeControls, escapeStack } from './escape-controls.js';

/** The contexts of Nest's `Logger` under which the cluster logs. */
export const LOG_TOPICS = {
  /** High-level operations: the facade, decorators, triggers, the change feed. */
  cluster: 'detector-cluster',
  /** Roles, desired state, reconciliation, ownership of partitions, delivery. */
  coordination: 'master-slave-worker-cluster',
  /** Sockets to workers, and what comes over them. */
  connection: 'DetectorConnection',
} as const;

/**
 * Nest's logger for the topics of the cluster. Messages repeat text of workers, cameras and other processes, so control characters are escaped at
 * every level: a stranger can neither begin a line of the log nor send sequences to a terminal.
 */
export class TopicLogger extends Logger {
  override fatal(message: unknown, ...rest: unknown[]): void {
    super.fatal(line(message), ...rest.map(lines));
  }

  override error(message: unknown, ...rest: unknown[]): void {
    super.error(line(message), ...rest.map(lines));
  }

  override warn(message: unknown, ...rest: unknown[]): void {
    super.warn(line(message), ...rest.map(line));
  }

  override log(message: unknown, ...rest: unknown[]): void {
    super.log(line(message), ...rest.map(line));
  }

  override debug(message: unknown, ...rest: unknown[]): void {
    super.debug(line(message), ...rest.map(line));
  }

  override verbose(message: unknown, ...rest: unknown[]): void {
    super.verbose(line(message), ...rest.map(line));
  }
}

const line = (value: unknown): unknown => (typeof value === 'string' ? escapeControls(value) : value);

/** The stack of an error follows its message. */
const lines = (value: unknown): unknown => (typeof value === 'string' ? escapeStack(value) : value);
