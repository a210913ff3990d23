import { readdirSync, readFileSync } from 'node:fs';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { Cluster as Cluster5, Redis as Redis5 } from 'ioredis-5';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { readClusterNodes } from './slot-topology.js';
import { CLUSTER_OPTION_RULES, REDIS_OPTION_RULES } from './ioredis-options.js';
import { openRedis } from './redis-connection.js';
import { optionsOf, type RedisClusterSource } from './redis-source.js';

const COPIES: Record<string, { Redis: typeof Redis; Cluster: typeof Cluster }> = {
  ioredis: { Redis, Cluster },
  'ioredis-5': { Redis: Redis5 as unknown as typeof Redis, Cluster: Cluster5 as unknown as typeof Cluster },
};

const packageOf = (name: string): string =>
  new URL(`../../../../../../node_modules/${name}/`, import.meta.url).pathname;

const entryOf = (copy: string): string => `${packageOf(copy)}built/index.d.ts`;
const program = ts.createProgram(Object.keys(COPIES).map(entryOf), { skipLibCheck: true, types: ['node'] });

/** The names of the properties of a type that a copy of ioredis exports. */
function typedOptions(copy: string, type: string): string[] {
  const entry = entryOf(copy);
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)!)!);
  const found = exported.find(({ name }) => name === type)!;
  const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
  return checker
    .getDeclaredTypeOfSymbol(symbol)
    .getProperties()
    .map((property) => property.name);
}

/** Every `options.x` that a copy of ioredis reads, whatever its types say. */
function readOptions(copy: string): string[] {
  const folder = `${packageOf(copy)}built`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  const names = files.flatMap((file) =>
    Array.from(
      readFileSync(`${folder}/${file}`, 'utf8').matchAll(/\b(?:this|self|redis)\.options\??\.(\w+)/g),
    ),
  );
  return [...new Set(names.map(([, name]) => name!))];
}

const named = (rule: 'used' | 'replaced' | 'function', rules: object) =>
  Object.entries(rules).flatMap(([name, value]) => (value === rule || typeof value === rule ? [name] : []));

const manual = readFileSync(
  new URL('../../../../../../docs/redis-in-production.md', import.meta.url),
  'utf8',
);

describe.each(Object.entries(COPIES))(
  'the table of options and %s',
  (copy, { Redis: Client, Cluster: Nodes }) => {
    it('agree on every option of a connection', () => {
      const known = new Set(Object.keys(REDIS_OPTION_RULES));
      const names = [
        ...typedOptions(copy, 'RedisOptions'),
        ...Object.keys(new Client({ lazyConnect: true }).options),
      ];
      expect(names.length).toBeGreaterThan(80);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    });

    it('agree on every option of a cluster', () => {
      const known = new Set(Object.keys(CLUSTER_OPTION_RULES));
      const cluster = new Nodes([{ host: 'x', port: 1 }], { lazyConnect: true });
      const names = [...typedOptions(copy, 'ClusterOptions'), ...Object.keys(cluster.options)];
      expect(names.length).toBeGreaterThan(35);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    });

    it('agree on every option that the code of ioredis reads', () => {
      const known = new Set([...Object.keys(REDIS_OPTION_RULES), ...Object.keys(CLUSTER_OPTION_RULES)]);
      const names = readOptions(copy);
      expect(names.length).toBeGreaterThan(50);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    });
  },
);

describe('the table of options', () => {
  it('lists no option that neither ioredis 5 nor 6 has', () => {
    const all = Object.keys(COPIES).flatMap((copy) =>
      ['RedisOptions', 'ClusterOptions'].flatMap((type) => typedOptions(copy, type)),
    );
    const listed = [...Object.keys(REDIS_OPTION_RULES), ...Object.keys(CLUSTER_OPTION_RULES)];
    expect(listed.filter((name) => !all.includes(name))).toEqual([]);
  });

  it('is the table of the manual', () => {
    const section = manual.split('### Options of ioredis')[1]!.split('\n## ')[0]!;
    const row = (name: string) =>
      Array.from(
        new RegExp(`^\\| ${name} +\\|.*$`, 'm').exec(section)![0].matchAll(/`(\w+)[`:]/g),
        ([, each]) => each!,
      );
    for (const [title, rule] of [
      ['used', 'used'],
      ['replaced', 'replaced'],
      ['refused', 'function'],
    ] as const) {
      expect(row(title).sort()).toEqual(named(rule, REDIS_OPTION_RULES).sort());
      expect(row(`${title}, cluster`).sort()).toEqual(named(rule, CLUSTER_OPTION_RULES).sort());
    }
  });
});

/** For each option a value that a caller could give, and that differs from what the project uses. */
const strange = (name: string): unknown =>
  ({ replyMapping: 'resp3', protocol: 3, lazyConnect: false, enableReadyCheck: false })[name] ?? true;

const only = (rules: object, rule: string) =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([name, value]) => (value === rule ? [[name, strange(name)]] : [])),
  ) as RedisOptions & ClusterOptions;

describe('what a caller sets', () => {
  it('does not reach a connection where the table says so', () => {
    const hostile = only(REDIS_OPTION_RULES, 'replaced');
    expect(Object.keys(hostile).length).toBeGreaterThan(25);
    expect(optionsOf({ host: 'x', ...hostile })).toEqual({ host: 'x' });
    expect(optionsOf(Object.assign(new Redis({ lazyConnect: true }), { options: hostile }))).toEqual({});
    const cluster = { nodes: [{ host: 'x', port: 1 }], options: only(CLUSTER_OPTION_RULES, 'replaced') };
    expect(readClusterNodes({ cluster }).options).toEqual({});
    const nested = { ...cluster, options: { redisOptions: hostile } } as RedisClusterSource['cluster'];
    expect(Object.keys(readClusterNodes({ cluster: nested }).settings).sort()).toEqual([
      'password',
      'tls',
      'username',
    ]);
  });

  it.each<[RedisOptions | string, RegExp]>([
    [{ keyPrefix: 'app:' }, /redis\.keyPrefix cannot be used: name the prefix by `lockName`/],
    ['redis://h/?keyPrefix=app:', /redis\.keyPrefix cannot be used/],
    [{ readOnly: true }, /redis\.readOnly cannot be used/],
    [{ role: 'slave', sentinels: [{ host: 's' }] }, /redis\.role cannot be used/],
    [{ monitor: true }, /redis\.monitor cannot be used/],
    [{ passwrod: 'x' } as RedisOptions, /redis\.passwrod cannot be used: .*did you mean password\?/],
    ['redis://h/?tsl=x', /redis\.tsl cannot be used: .*did you mean tls\?/],
    [{ readOnly: true, keyPrefix: 'a' }, /redis\.readOnly .*; redis\.keyPrefix /],
  ])('is refused by name: %j', (source, message) => {
    const given = typeof source === 'string' ? source : { host: 'h', ...source };
    expect(() => optionsOf(given)).toThrow(message);
    expect(() => openRedis(given, {})).toThrow(message);
  });

  it.each<[ClusterOptions, RegExp]>([
    [{ keyPrefix: 'a' }, /redis\.cluster\.options\.keyPrefix cannot be used/],
    [{ useSRVRecords: true }, /redis\.cluster\.options\.useSRVRecords cannot be used/],
    [{ redisOptions: { keyPrefix: 'a' } }, /redis\.cluster\.options\.redisOptions\.keyPrefix cannot be used/],
    [{ redisOptions: { db: 3 } }, /redisOptions\.db cannot be used: a Redis Cluster has only database 0/],
    [{ natmap: {} } as ClusterOptions, /did you mean natMap\?/],
  ])('is refused by name on a cluster: %j', (options, message) => {
    expect(() => readClusterNodes({ cluster: { nodes: ['redis://h'], options } })).toThrow(message);
  });

  it('may be unknown in an instance, and beside a connector of the application', () => {
    const later = Object.assign(new Redis({ lazyConnect: true }), { options: { host: 'h', ofLater: 1 } });
    expect(optionsOf(later)).toEqual({ host: 'h' });
    const Connector = class {} as unknown as NonNullable<RedisOptions['Connector']>;
    expect(optionsOf({ Connector, bastion: 'b' } as RedisOptions)).toEqual({ Connector, bastion: 'b' });
  });
});
