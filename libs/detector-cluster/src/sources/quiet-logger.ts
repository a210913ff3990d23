import { Logger } from '@nestjs/common';

/** The transport logs every failed attempt to connect as an error. The owner of the connection logs it once. */
export class QuietLogger extends Logger {
  override error(): void {}
  override log(): void {}
  override warn(): void {}
}
