import { inspect, isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { StaticModelUrlProvider } from '../sources/static-model-url-provider.js';
import { SubscriptionTrigger } from '../sources/subscription-trigger.js';
import { type DetectorClusterOptions } from './detector-cluster-options.js';
import { InvalidDetectorClusterOptionsError } from '../shared/invalid-detector-cluster-options.error.js';
import { resolveOptions } from './resolve-options.js';

const redis = 'redis://localhost:6379';
const method = () => undefined;

function problemsOf(options: unknown): readonly string[] {
  try {
    resolveOptions(options as DetectorClusterOptions);
  } catch (error) {
    if (error instanceof InvalidDetectorClusterOptionsError) return error.problems;
    throw error;
  }
  return [];
}

describe('resolveOptions', () => {
  it('fills in the documented defaults', () => {
    const options = resolveOptions({ redis, workers: ['ws://worker1:8000/'] });
    expect(options).toMatchObject({
      keyPrefix: '',
      delivery: { overflow: 'drop-oldest', partitions: 32, acceptance: null },
      workers: { current: [{ id: 'ws://worker1:8000', url: 'ws://worker1:8000/', capacity: 100 }] },
      source: null,
      timings: {
        workerSilence: 10_000,
        workerEviction: 15_000,
        adoptionTimeout: 5_000,
        resyncInterval: 30_000,
      },
    });
  });

  it('names the keys after the lock, unless that has its default name', () => {
    expect(resolveOptions({ redis }).keyPrefix).toBe('');
    expect(resolveOptions({ redis }, 'master-election').keyPrefix).toBe('');
    expect(resolveOptions({ redis }, 'shop').keyPrefix).toBe('shop:');
    expect(resolveOptions({ redis, keyPrefix: '' }, 'shop').keyPrefix).toBe('');
  });

  it('takes a trigger for the same keys only', () => {
    const trigger = new SubscriptionTrigger({ redis, keyPrefix: 'a:' });
    expect(resolveOptions({ redis, keyPrefix: 'a:', trigger }).trigger).toBe(trigger);
    expect(resolveOptions({ redis }).trigger).toBeNull();
    expect(problemsOf({ redis, trigger })).toEqual([
      'trigger: has the keyPrefix "a:", the module has "": give both the same',
    ]);
    expect(problemsOf({ redis, trigger: {} })).toEqual(['trigger: must be a SubscriptionTrigger']);
  });

  it('reads the version of the protocol from the option or the end of the URL, which does not name the worker', () => {
    const { current } = resolveOptions({
      redis,
      workers: [
        'ws://a',
        'ws://b/#v2',
        { url: 'ws://c', protocol: 'v2' },
        { url: 'ws://d#v1', protocol: 'v1' },
      ],
    }).workers;
    expect(current.map(({ id, url, protocol }) => [id, url, protocol])).toEqual([
      ['ws://a', 'ws://a', 'v1'],
      ['ws://b', 'ws://b/', 'v2'],
      ['ws://c', 'ws://c', 'v2'],
      ['ws://d', 'ws://d', 'v1'],
    ]);
    const wrong = [
      'ws://a#v3',
      { url: 'ws://b#v2', protocol: 'v1' },
      { url: 'ws://c', protocol: 'v3' },
      'ws://d',
      'ws://d#v2',
    ];
    expect(problemsOf({ redis, workers: wrong })).toEqual([
      `workers[0]: "ws://a#v3" must not have a fragment other than #v1 or #v2, the version of the worker's protocol`,
      `workers[1].protocol: must be 'v1' or 'v2' and agree with #v2 of the url, got "v1"`,
      `workers[2].protocol: must be 'v1' or 'v2', got "v3"`,
      'workers[4]: ws://d is listed twice',
    ]);
  });

  it('names a worker without its credentials', () => {
    const url = 'wss://user:s%20cret@gpu:8000/?access_token=hunter2';
    const [worker] = resolveOptions({ redis, workers: [{ url, capacity: 5 }] }).workers.current;
    expect(worker).toMatchObject({
      id: 'wss://gpu:8000/?access_token=***',
      url: 'wss://gpu:8000/?access_token=hunter2',
      capacity: 5,
    });
    expect(worker!.credentials!.request()).toEqual({
      headers: { authorization: `Basic ${Buffer.from('user:s cret').toString('base64')}` },
    });
    expect(inspect(worker!.credentials, { depth: 9, showHidden: true })).not.toContain('cret');
  });

  it('accepts names of workers, and refuses those that could be taken for others', () => {
    const name = 'Hall 3, גג';
    const { current } = resolveOptions({ redis, workers: [{ url: 'ws://a', name }, 'ws://b'] }).workers;
    expect(current.map((worker) => [worker.id, worker.name])).toEqual([
      ['ws://a', name],
      ['ws://b', undefined],
    ]);
    const names = ['Rack 1', 'Rack 1', '', 'Rack\u202e1', 'Rack\u200b1', 'x'.repeat(257), 7];
    const workers = names.map((one, i) => ({ url: `ws://w${i}`, name: one }));
    expect(problemsOf({ redis, workers })).toEqual([
      'workers[1].name: "Rack 1" is the name of an earlier worker',
      'workers[2].name: "" must not be empty',
      expect.stringMatching(/^workers\[3\]\.name: .*invisible characters, got U\+202E$/),
      expect.stringMatching(/^workers\[4\]\.name: .*invisible characters, got U\+200B$/),
      expect.stringMatching(/^workers\[5\]\.name: .*must be at most 256 characters, got 257$/),
      'workers[6].name: 7 must be a string, got number',
    ]);
  });

  it('accepts a token or TLS for a worker, and names their problems', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nhunter2';
    const [token, tls] = resolveOptions({
      redis,
      workers: [
        { url: 'ws://a', token: 't0ken', allowInsecureCredentials: true },
        { url: 'wss://b', tls: { ca: pem, cert: pem, key: Buffer.from(pem) } },
      ],
    }).workers.current;
    expect(token!.credentials!.request()).toEqual({ headers: { authorization: 'Bearer t0ken' } });
    expect(tls!.credentials!.request()).toEqual({ ca: pem, cert: pem, key: Buffer.from(pem), headers: {} });
    const problems = problemsOf({
      redis,
      workers: [
        { url: 'ws://localhost', token: 'hunter2\r\nx: y' },
        { url: 'ws://u:hunter2@127.0.0.1', token: 'hunter2' },
        { url: 'ws://c', tls: {} },
        { url: 'wss://d', tls: { ca: '/path', cert: pem } },
        { url: 'wss://e', tls: { key: pem } },
        { url: 'wss://f', tls: 'hunter2' },
        { url: 'ws://10.0.0.1', token: 'hunter2' },
        { url: 'ws://u:hunter2@g' },
        { url: 'ws://h', allowInsecureCredentials: 'yes' },
        'ws://169.254.169.254',
      ],
    });
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toEqual([
      'workers[0].token',
      'workers[1].token',
      'workers[2].tls',
      'workers[3].tls.ca',
      'workers[3].tls.key',
      'workers[4].tls.cert',
      'workers[5].tls',
      'workers[6].token',
      'workers[7].url',
      'workers[8].allowInsecureCredentials',
      'workers[9]',
    ]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('reports all problems at once, by option name, without credentials', () => {
    const problems = problemsOf({
      redis: 'http://user:secret@host',
      prisma: {},
      desiredState: { read: () => undefined },
      workers: [
        'http://user:secret@a',
        'ws://b',
        'ws://b/',
        { url: 'ws://c', capacity: 0 },
        'rubbish',
        { url: 'ws://d', capacity: 4_001 },
      ],
      timings: { workerSilence: 100, workerEviction: -1, adoptionPatiance: 5 },
    });
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toEqual([
      'redis',
      'desiredState',
      'modelUrl',
      'prisma',
      'timings.adoptionPatiance',
      'timings.workerEviction',
      'timings.workerSilence',
      'workers[0]',
      'workers[2]',
      'workers[3].capacity',
      'workers[4]',
      'workers[5].capacity',
    ]);
    expect(problems.join('\n')).not.toContain('secret');
  });

  const VALUES = [5, Number.NaN, true, '', 'text', {}, [], [null], null, method];

  /** Those of these values that an option takes. */
  const TAKEN: Readonly<Record<keyof Required<DetectorClusterOptions>, readonly unknown[]>> = {
    redis: ['text'],
    keyPrefix: ['', 'text'],
    workers: [[], method],
    prisma: [],
    trigger: [null],
    desiredState: [],
    modelUrl: [],
    canary: [],
    placement: [method],
    rebalanceWindows: [[]],
    changeFeed: [],
    secret: [],
    networks: [[]],
    timings: [{}],
    overflow: [],
    partitions: [5],
    acceptance: [],
    workerLimits: [{}],
  };
  const modelUrl = new StaticModelUrlProvider('https://models.example.com');

  const expectTaken = (taken: readonly unknown[], problemOf: (value: unknown) => boolean) =>
    expect(VALUES.filter((value) => !problemOf(value))).toEqual(
      VALUES.filter((value) => taken.some((each) => isDeepStrictEqual(each, value))),
    );

  it.each(Object.entries(TAKEN))('refuses %s by name if it has another type', (name, taken) => {
    expectTaken(taken, (value) =>
      problemsOf({ redis, modelUrl, [name]: value }).some((text) => text.startsWith(name)),
    );
  });

  it.each<[string, readonly unknown[]]>([
    ['url', []],
    ['token', ['text']],
    ['allowInsecureCredentials', [true]],
    ['tls', [{}]],
    ['protocol', [null]],
    ['capacity', [5]],
    ['labels', [{}]],
  ])('refuses %s of a worker by name if it has another type', (name, taken) => {
    expectTaken(taken, (value) =>
      problemsOf({ redis, workers: [{ url: 'wss://a', [name]: value }] }).some((text) =>
        text.startsWith('workers[0]'),
      ),
    );
  });

  it('takes one secret or several, and never repeats a bad one', () => {
    const [long, other] = ['a'.repeat(32), 'b'.repeat(32)];
    expect(resolveOptions({ redis }).secretBox).toBeNull();
    const sealed = resolveOptions({ redis, secret: long }).secretBox!.seal('text', 'd;c');
    expect(resolveOptions({ redis, secret: [other, long] }).secretBox!.open(sealed, 'd;c')).toBe('text');
    for (const secret of ['short', '', [], [long, 'short'], 7, null]) {
      const problems = problemsOf({ redis, secret });
      expect(problems).toEqual([expect.stringMatching(/^secret: must be a string of at least 32/)]);
      expect(problems.join()).not.toContain('"short"');
    }
  });

  it('accepts the options of delivery', () => {
    const delivery = {
      overflow: 'refuse-new',
      partitions: 1_024,
      acceptance: { replicas: 1, timeout: 10_000 },
    } as const;
    expect(resolveOptions({ redis, ...delivery }).delivery).toEqual(delivery);
  });

  type Case = [options: object, expected: string[]];
  it.each<Case>([
    [{ overflow: 'drop-newest' }, ['overflow: must be "drop-oldest" or "refuse-new", got "drop-newest"']],
    ...[0, 1_025, 1.5, '32', null].map((partitions): Case => [
      { partitions },
      [expect.stringMatching(/^partitions: must be a whole number from 1 to 1024/)],
    ]),
    ...[0, 1.5, '1'].map((replicas): Case => [
      { acceptance: { replicas, timeout: 100 } },
      [expect.stringMatching(/^acceptance\.replicas: must be a whole number from 1 on/)],
    ]),
    ...[0, 10_001, '100'].map((timeout): Case => [
      { acceptance: { replicas: 1, timeout } },
      [expect.stringMatching(/^acceptance\.timeout: must be a whole number of milliseconds from 1 to 10000/)],
    ]),
    [
      { acceptance: {} },
      [expect.stringMatching(/^acceptance\.replicas: /), expect.stringMatching(/^acceptance\.timeout: /)],
    ],
  ])('refuses %j', (options, expected) => {
    expect(problemsOf({ redis, ...options })).toEqual(expected);
  });

  it('refuses a model without a URL by name when there is no provider', async () => {
    const { modelUrls } = resolveOptions({ redis });
    await expect(modelUrls.urlFor({ modelId: 1, modelName: 'cars' })).rejects.toThrow('modelUrl');
    const provided = resolveOptions({
      redis,
      modelUrl: new StaticModelUrlProvider('https://models.example.com'),
    });
    await expect(provided.modelUrls.urlFor({ modelId: 1, modelName: 'cars' })).resolves.toContain('cars');
  });
});
