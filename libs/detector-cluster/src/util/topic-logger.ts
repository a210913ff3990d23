import { Logger } from '@nestjs/common';
import { escapeControls } from '../redact/escape-controls.js';

/**
 * Nest's logger for the topics of the cluster. Messages repeat text of workers, cameras and other processes, so control characters are escaped at
 * every level: a stranger can neither begin a line of the log nor send sequences to a terminal.
 */
export class TopicLogger extends Logger {
  override fatal(message: unknown, ...rest: unknown[]): void {
    super.fatal(escaped(message), ...rest.map(escaped));
  }

  override error(message: unknown, ...rest: unknown[]): void {
    super.error(escaped(message), ...rest.map(escaped));
  }

  override warn(message: unknown, ...rest: unknown[]): void {
    super.warn(escaped(message), ...rest.map(escaped));
  }

  override log(message: unknown, ...rest: unknown[]): void {
    super.log(escaped(message), ...rest.map(escaped));
  }

  override debug(message: unknown, ...rest: unknown[]): void {
    super.debug(escaped(message), ...rest.map(escaped));
  }

  override verbose(message: unknown, ...rest: unknown[]): void {
    super.verbose(escaped(message), ...rest.map(escaped));
  }
}

const escaped = (value: unknown): unknown => (typeof value === 'string' ? escapeControls(value) : value);
