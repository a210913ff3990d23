import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { GroupOptions } from './create-group-member.js';
import type { GroupMember } from './member/group-member.js';
import type { AtomicLeaderStore } from './store/leader-store.js';
import { messageSchema } from './wire/message.js';

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The compiler sees to it that they exist. */
const KEYS = [
  'get',
  'set',
  'cleanup',
  'read',
  'swap',
  'store',
  'internalAddress',
  'id',
  'members',
  'failureThreshold',
  'detector',
  'joinWait',
  'busyWait',
] as const satisfies readonly (keyof AtomicLeaderStore | keyof GroupOptions | keyof GroupMember)[];

/** What the entry points export. */
const exported = [
  './index.ts',
  './stores/redis/index.ts',
  './stores/memcached/index.ts',
  './stores/etcd/index.ts',
  './stores/postgres/index.ts',
]
  .flatMap((path) =>
    Array.from(textOf(path).matchAll(/export (?:type )?\{([^}]+)\}/g), ([, names]) => names!),
  )
  .flatMap((names) => names.split(',').map((name) => name.replace('type ', '').trim()));

it('docs/source-documents.md gives names that exist', () => {
  const section = textOf('../../../docs/source-documents.md')
    .split('## Group membership: names')[1]!
    .split('\n#')[0]!;
  const here = Array.from(section.matchAll(/^\| .+? \| (.+?) \| .+ \|$/gm), ([, cell]) => cell!).slice(2);
  const names = here.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name]) => name!));
  expect(names.length).toBeGreaterThan(25);
  const messages = messageSchema.options.map(({ shape }) => shape.type.value);
  const known = new Set<string>([...KEYS, ...exported, ...messages]);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});
