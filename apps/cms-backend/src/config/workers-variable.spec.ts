import { describe, expect, it } from 'vitest';
import { readConfig } from './read-config.js';
import { pem, problemsOf, required, secretFolder } from './read-config.fixture.js';

describe('DETECTOR_WORKERS as JSON', () => {
  const folder = secretFolder();

  it('takes workers as JSON, each with its own credentials', () => {
    const workers = [
      { url: 'ws://one:8000', allowInsecureCredentials: true },
      {
        url: 'wss://two',
        name: 'Rack 2',
        tokenFile: folder.write('token', 'own-token\n'),
        tls: {
          caFile: folder.write('ca.pem', pem('ca')),
          cert: pem('cert'),
          keyFile: folder.write('key.pem', pem('key')),
        },
        capacity: 12,
        labels: { gpu: 'yes' },
      },
      { url: 'wss://three' },
    ];
    const text = JSON.stringify(workers);
    const env = { ...required, WORKER_TOKEN: 'common-token', WORKER_TLS_CA: pem('common') };
    for (const given of [
      { DETECTOR_WORKERS: text },
      { DETECTOR_WORKERS_FILE: folder.write('workers.json', text) },
    ])
      expect(readConfig({ ...env, ...given }).cluster.workers).toEqual([
        { url: 'ws://one:8000', token: 'common-token', allowInsecureCredentials: true },
        {
          url: 'wss://two',
          name: 'Rack 2',
          token: 'own-token',
          tls: { ca: pem('ca'), cert: pem('cert'), key: pem('key') },
          capacity: 12,
          labels: { gpu: 'yes' },
        },
        { url: 'wss://three', token: 'common-token', tls: { ca: pem('common') } },
      ]);
  });

  it.each<[string, unknown, string]>([
    ['no JSON', undefined, 'begins with "[" but is not valid JSON'],
    ['an unknown field', [{ url: 'ws://a', tokn: 'hunter2' }], 'entry 1: tokn: is not an option'],
    ['no URL', ['ws://a', {}], 'entry 2: must be a URL'],
    ['a capacity of 0', [{ url: 'ws://a', capacity: 0 }], 'entry 1: capacity: must be a number above 0'],
    [
      'an invisible character in a name',
      [{ url: 'ws://a', name: 'Rack\u200b1' }],
      'entry 1: name: "Rack\u200b1" must not contain control or invisible characters, got U+200B',
    ],
    [
      'one name twice',
      [
        { url: 'ws://a', name: 'Rack 1' },
        { url: 'ws://b', name: 'Rack 1' },
      ],
      'entry 2: name: "Rack 1" is the name of an earlier worker',
    ],
    [
      'a bad token',
      [{ url: 'ws://a', token: 'hunter2 x' }],
      'entry 1: token: must be printable ASCII without blanks',
    ],
    [
      'a file twice',
      [{ url: 'ws://a', token: 'hunter2', tokenFile: 'x' }],
      'entry 1: tokenFile: excludes token',
    ],
    [
      'a file that is not there',
      [{ url: 'wss://a', tls: { caFile: '/nowhere/ca' } }],
      'entry 1: tls.caFile: cannot read /nowhere/ca (ENOENT); mount it and let this user read it',
    ],
    ['TLS on ws://', [{ url: 'ws://a', tls: { ca: pem('ca') } }], 'entry 1: tls: needs a wss:// URL'],
    [
      'a token on ws://',
      [
        { url: 'ws://127.0.0.1', token: 'hunter2' },
        { url: 'ws://a', token: 'hunter2' },
      ],
      'entry 2: token: credentials over ws:// can be read on the network path: use wss://, or set WORKER_INSECURE_CREDENTIALS=true',
    ],
    [
      'half a certificate',
      [{ url: 'wss://a', tls: { key: pem('key') } }],
      'entry 1: tls.cert: is missing; cert and key belong together',
    ],
    [
      'two ways to be known',
      [{ url: 'ws://u:hunter2@a', token: 'hunter2' }],
      'entry 1: token: cannot be combined with a user name in the URL; give one of them',
    ],
  ])('refuses workers with %s', (_case, workers, problem) => {
    const text = workers === undefined ? '[{"url":"ws://hunter2' : JSON.stringify(workers);
    const problems = problemsOf({ ...required, DETECTOR_WORKERS: text });
    expect(problems).toEqual([expect.stringContaining(`DETECTOR_WORKERS: ${problem}`)]);
    expect(problems.join()).not.toContain('hunter2');
  });
});
