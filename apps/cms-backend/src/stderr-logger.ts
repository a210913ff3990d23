import { escapeControls, escapeStack } from '@detector-cluster/detector-cluster/redact';
import { ConsoleLogger } from '@nestjs/common';
import { inspect } from 'node:util';

/** Parts of Nest that log one line per module and route when an application starts. */
const CHATTY = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'WebSocketsController',
]);

/**
 * Nest's console logger on standard error: standard output belongs to the one line that a launcher reads. What Nest logs
 * of its own start is for debugging. Control characters are escaped, whatever part of the application logs, and whatever it logs:
 * text, errors with their stacks and causes, objects, in both formats.
 */
export class StderrLogger extends ConsoleLogger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (CHATTY.has(String(rest.at(-1)))) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  protected override printMessages(...args: Parameters<ConsoleLogger['printMessages']>): void {
    args[0] = args[0].map((message) => this.escaped(this.resolveMessage(message)));
    args[1] = escapeControls(args[1] ?? '');
    args[3] = 'stderr';
    super.printMessages(...args);
  }

  protected override stringifyParams(params: Record<string, unknown>): string {
    return escapeControls(super.stringifyParams(params));
  }

  protected override printStackTrace(stack: string): void {
    super.printStackTrace(stack && escapeStack(stack));
  }

  /** JSON may have any character as an escape, so the record stays the same. */
  protected override stringifyJsonLogObject(record: Record<string, unknown>): string {
    return escapeControls(super.stringifyJsonLogObject(record));
  }

  private escaped(message: unknown): unknown {
    if (typeof message === 'string') return escapeControls(message);
    return this.options.json === true ? message : escapeStack(inspect(message, { breakLength: Infinity }));
  }
}
