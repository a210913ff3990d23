import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toLines } from './problem.js';
import { findUnknownNames, type NamesContext } from './find-unknown-names.js';
import { NameCollector } from './name-collector.js';

const collector = new NameCollector();
collector.add(
  'a.ts',
  `interface Events { 'worker:online': [] }
   export class Base { stop(): void {} }
   export class Cluster extends Base { start(): void { const local = 30_000; } static LIMIT = 'x'; }
   export const options = { lockTtl: 1 };
   const keys = (p: string) => [\`\${p}worker:slave:\${p}\`, \`\${p}master:commands\`, \`\${p}:lease\`];`,
);
const context: NamesContext = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  names: collector.result(),
  flags: new Set(['--lock-ttl']),
  entryPoints: new Set(['@detector-cluster/election/redis']),
};
const check = (text: string) => toLines(findUnknownNames('page.md', text, context));

describe('findUnknownNames', () => {
  it.each([
    '`Cluster`, `Cluster.start()`, `Cluster.stop`, `start(a, b)`, `@Cluster()`',
    '`worker:online`, `worker:slave:{id}`, `worker:slave:<id>`, `worker:master:commands`, `:lease`',
    '`master-election:lease`, `lockTtl`, `--lock-ttl`, `30,000`, `@detector-cluster/election/redis`',
    '| a | b |\n| - | - |\n| `NotOurs` | `Cluster` |\n| `Cluster`, `start()` | as there |',
  ])('takes %s', (text) => {
    expect(check(text)).toEqual([]);
  });

  it.each([
    ['`Clusterr`'],
    ['`Cluster.begin()`'],
    ['`Base.start()`'],
    ['`worker:onlin`'],
    ['`worker:slaves:{id}`'],
    ['`other:master:commands`'],
    ['`--lock-time`'],
    ['`31,000`'],
    ['`@detector-cluster/election/mysql`'],
    ['`libs/none`'],
  ])('refuses %s, in text and in a table', (code) => {
    const message = `${code} is not in the project`;
    expect(check(`see ${code}`)).toEqual([`page.md:1: ${message}`]);
    expect(check(`| a | b |\n| - | - |\n| ${code} | as there |`)).toEqual([`page.md:3: ${message}`]);
    expect(check(`| a | b |\n| - | - |\n| a | ${code} |`)).toEqual([`page.md:3: ${message}`]);
  });
});
