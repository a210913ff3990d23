import { expect, it } from 'vitest';
import { flagsOf } from './programs.js';

it('reads the options of parseArgs and of commander', () => {
  const text = `
    parseArgs({ args, options: { runs: { type: 'string', short: 'r' }, 'peer-runs': { type: 'string' } } });
    program.option('-v, --verbose', 'more').addOption(flag('--lock-name <name>', 'of the election'));
    other('--not-this');
  `;
  expect(flagsOf(text)).toEqual(['-v', '--verbose', '--lock-name', '--runs', '-r', '--peer-runs']);
});
