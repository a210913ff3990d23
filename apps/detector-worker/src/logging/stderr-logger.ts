import { ConsoleLogger } from '@nestjs/common';

/** Nest's console logger on standard error: standard output belongs to the one line that a launcher reads. */
export class StderrLogger extends ConsoleLogger {
  protected override printMessages(...args: Parameters<ConsoleLogger['printMessages']>): void {
    args[3] = 'stderr';
    super.printMessages(...args);
  }
}
