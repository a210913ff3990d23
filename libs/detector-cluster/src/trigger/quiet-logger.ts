import { Logger } from '@nestjs/common';

/** The transport logs every failed attempt to connect as an error. Whoever owns the connection says it once. */
export class QuietLogger extends Logger {
  override error(): void {}
  override log(): void {}
  override warn(): void {}
}
