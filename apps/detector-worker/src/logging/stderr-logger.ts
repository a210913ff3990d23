import { ConsoleLogger } from '@nestjs/common';

/** Control characters, and those that reorder or break lines of text: a master could send them in its name. */
const CONTROLS = /[\p{Cc}\p{Bidi_C}\u2028\u2029\ufeff]/gu;

/** Nest's console logger on standard error: standard output belongs to the one line that a launcher reads. */
export class StderrLogger extends ConsoleLogger {
  protected override printMessages(...args: Parameters<ConsoleLogger['printMessages']>): void {
    args[0] = args[0].map((message) => (typeof message === 'string' ? escaped(message) : message));
    args[3] = 'stderr';
    super.printMessages(...args);
  }
}

const escaped = (text: string): string =>
  text.replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
