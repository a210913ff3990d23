import type { MasterJobOptions } from './master-job-options.js';

/** The arguments of a decorator in the order of `@nestjs/schedule`, `(name, ms)`, or with options, `(ms, options)`. */
export type JobArguments<Options extends MasterJobOptions> =
  [duration: number, options?: Options] | [name: string, duration: number, options?: Options];

export function readJobArguments<Options extends MasterJobOptions>(
  args: JobArguments<Options>,
): { duration: number; options: Options } {
  if (typeof args[0] === 'string') {
    const [name, duration, options] = args as [string, number, Options?];
    return { duration, options: { ...options, name } as Options };
  }
  const [duration, options] = args as [number, Options?];
  return { duration, options: options ?? ({} as Options) };
}
