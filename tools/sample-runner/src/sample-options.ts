import { parseArgs } from 'node:util';
import type { Sample } from './sample.js';

/** The options of the command line. */
export interface SampleOptions {
  readonly sample: Sample;
  /** Ends after the play, with one line of JSON. */
  readonly smoke: boolean;
}

/**
 * Reads `<number or name> [--smoke]`.
 * @throws TypeError that lists the samples.
 */
export function parseSampleOptions(args: readonly string[], samples: readonly Sample[]): SampleOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { smoke: { type: 'boolean', default: false } },
  });
  const [name = ''] = positionals;
  const sample = samples.find(({ folder }) => folder === name || folder.startsWith(`${name}-`));
  if (!sample || positionals.length > 1) {
    const asked = positionals.length === 0 ? 'which sample?' : `no such sample: ${positionals.join(' ')};`;
    throw new TypeError(`${asked} there are: ${samples.map(({ folder }) => folder).join(', ')}`);
  }
  return { sample, smoke: values.smoke };
}
