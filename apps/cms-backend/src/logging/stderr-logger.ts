import { escapeControls } from '@detector-cluster/detector-cluster';
import { ConsoleLogger } from '@nestjs/common';

/** Parts of Nest that tell one line per module and route when an application starts. */
const CHATTY = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'WebSocketsController',
]);

/**
 * Nest's console logger on standard error: standard output belongs to the one line that a launcher reads. What Nest tells
 * of its own start is for debugging. Control characters are escaped, whatever part of the application logs.
 */
export class StderrLogger extends ConsoleLogger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (CHATTY.has(String(rest.at(-1)))) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  protected override printMessages(...args: Parameters<ConsoleLogger['printMessages']>): void {
    args[0] = args[0].map((message) => (typeof message === 'string' ? escapeControls(message) : message));
    args[3] = 'stderr';
    super.printMessages(...args);
  }
}
