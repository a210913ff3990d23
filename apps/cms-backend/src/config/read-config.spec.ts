import { describe, expect, it } from 'vitest';
import { readConfig } from './read-config.js';
import { pem, problemsOf, required } from './read-config.fixture.js';

const delivery = (env: Record<string, string>) => readConfig({ ...required, ...env }).cluster;

const followed = (env: Record<string, string>) =>
  readConfig({ ...required, CHANGE_FEED: 'true', ...env }).cluster.changeFeed?.connectionString;

const hostOf = (env: Record<string, string>) => readConfig({ ...required, ...env }).http.host;

describe('readConfig', () => {
  it('has a default for everything that is not required', () => {
    expect(readConfig(required)).toEqual({
      http: {
        port: 3000,
        host: '127.0.0.1',
        keys: [],
        proxy: null,
        allowedHosts: [],
        rateLimit: 2_000,
        trustedProxies: 0,
        keepAliveTimeout: 90_000,
      },
      databaseUrl: required.DATABASE_URL,
      redis: required.REDIS_URL,
      cluster: {
        workers: [],
        workerLimits: { detectionBytes: 65_536, detectionsPerSecond: null },
        keyPrefix: '',
        rebalanceWindows: [],
        partitions: 32,
        overflow: 'drop-oldest',
      },
      models: { baseUrl: required.MODEL_BASE_URL },
      clusterLabel: null,
      election: { lockName: 'master-election', timing: 'default' },
      alerts: { alertmanager: null, webhook: null, labels: { job: 'cms-backend' } },
      recentDetections: 1000,
      detectionHistory: null,
      logLevels: ['fatal', 'error', 'warn', 'log'],
      logFormat: 'text',
    });
  });

  it('reads every variable', () => {
    const config = readConfig({
      DATABASE_URL: required.DATABASE_URL,
      MODEL_BASE_URL: required.MODEL_BASE_URL,
      PORT: '0',
      HOST: '127.0.0.1',
      API_KEY: 'a-long-key',
      ALERTMANAGER_URL: 'http://alertmanager:9093',
      ALERT_LABELS: 'job=cms, namespace=prod',
      ALERT_WEBHOOK_URL: 'https://hooks.example.com/1',
      ALERT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
      REDIS_HOST: 'redis',
      REDIS_PORT: '6380',
      REDIS_PASSWORD: 'pw',
      DETECTOR_WORKERS: ' ws://one:8000, wss://user:pw@two/ ,',
      WORKER_INSECURE_CREDENTIALS: 'true',
      ALLOWED_NETWORKS: '10.0.0.0/8, nvr.example.com',
      KEY_PREFIX: '{detector}:',
      MODEL_CANARY_SHARE: '10',
      MODEL_CANARY_TIME: '3600000',
      CLUSTER_NAME: 'Staging',
      CLUSTER_COLOUR: 'orange',
      CHANGE_FEED: '1',
      CLUSTER_SECRET: 'x'.repeat(32),
      DETECT_DEBUG: 'TRUE',
      LOCK_NAME: '{lock}',
      ELECTION_TIMING: 'fast',
      IDENTIFIER: 'backend-1',
      RECENT_DETECTIONS: '10',
      DETECTION_HISTORY: 'true',
      DETECTION_HISTORY_HOURS: '48',
      DETECTION_HISTORY_ROWS: '2000000',
      DELIVERY_PARTITIONS: '64',
      DELIVERY_OVERFLOW: 'refuse-new',
      DELIVERY_ACCEPTANCE_REPLICAS: '2',
      DELIVERY_ACCEPTANCE_TIMEOUT: '500',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
      WORKER_TOKEN: 'w-token',
      WORKER_TLS_CA: pem('ca'),
      WORKER_TLS_CERT: pem('cert'),
      WORKER_TLS_KEY: pem('key'),
      WORKER_DETECTION_BYTES: '2048',
      WORKER_DETECTIONS_PER_SECOND: '500',
      WORKER_TLS_PASSPHRASE: 'phrase',
      REBALANCE_WINDOWS: '0 1 * * * Europe/Zurich 240; 30 12 * * 6 UTC 60',
    });
    expect(config).toEqual({
      http: {
        port: 0,
        host: '127.0.0.1',
        keys: [{ name: 'api-key', role: 'operate', key: 'a-long-key' }],
        proxy: null,
        allowedHosts: [],
        rateLimit: 2_000,
        trustedProxies: 0,
        keepAliveTimeout: 90_000,
      },
      databaseUrl: required.DATABASE_URL,
      redis: { host: 'redis', port: 6380, password: 'pw' },
      cluster: {
        workerLimits: { detectionBytes: 2_048, detectionsPerSecond: 500 },
        workers: [
          { url: 'ws://one:8000', token: 'w-token', allowInsecureCredentials: true },
          {
            url: 'wss://user:pw@two/',
            allowInsecureCredentials: true,
            tls: { ca: pem('ca'), cert: pem('cert'), key: pem('key'), passphrase: 'phrase' },
          },
        ],
        networks: ['10.0.0.0/8', 'nvr.example.com'],
        keyPrefix: '{detector}:',
        canary: { share: 10, confirmAfter: 3_600_000 },
        rebalanceWindows: [
          { opens: '0 1 * * *', timeZone: 'Europe/Zurich', duration: 14_400_000 },
          { opens: '30 12 * * 6', timeZone: 'UTC', duration: 3_600_000 },
        ],
        changeFeed: { connectionString: required.DATABASE_URL },
        secret: ['x'.repeat(32)],
        partitions: 64,
        overflow: 'refuse-new',
        acceptance: { replicas: 2, fsync: false, timeout: 500 },
      },
      models: { baseUrl: required.MODEL_BASE_URL },
      clusterLabel: { name: 'Staging', colour: 'orange' },
      election: { lockName: '{lock}', timing: 'fast', identifier: 'backend-1' },
      alerts: {
        alertmanager: 'http://alertmanager:9093',
        webhook: { url: 'https://hooks.example.com/1', secret: Buffer.alloc(24, 1) },
        labels: { job: 'cms', namespace: 'prod' },
      },
      recentDetections: 10,
      detectionHistory: { hours: 48, rows: 2_000_000, pictures: null },
      logLevels: ['fatal', 'error', 'warn', 'debug'],
      logFormat: 'json',
    });
  });

  it('listens on the loopback address without a key, and everywhere with one', () => {
    expect(hostOf({})).toBe('127.0.0.1');
    expect(hostOf({ API_KEY: 'a-long-key' })).toBe('0.0.0.0');
    expect(hostOf({ API_KEYS: 'ci:read:a-long-key' })).toBe('0.0.0.0');
    expect(hostOf({ TRUSTED_PROXY: '10.0.0.1' })).toBe('0.0.0.0');
    expect(hostOf({ HOST: '10.0.0.1' })).toBe('10.0.0.1');
  });

  it('reads several keys, secrets and host names', () => {
    const [old, fresh] = ['o'.repeat(32), 'f'.repeat(32)];
    const { cluster, http } = readConfig({
      ...required,
      API_KEYS: 'ops:operate:key:with:colons\n  grafana:read:another-key',
      CLUSTER_SECRET: `${fresh}\n${old}\n`,
      ALLOWED_HOSTS: 'CMS.example.com, cams.example.com',
      TRUSTED_PROXY: '10.0.0.0/8,fd00::/64, 192.0.2.1',
      TRUSTED_PROXY_OPERATORS: 'Ops, root@example.com',
    });
    expect(http).toMatchObject({
      keys: [
        { name: 'ops', role: 'operate', key: 'key:with:colons' },
        { name: 'grafana', role: 'read', key: 'another-key' },
      ],
      allowedHosts: ['cms.example.com', 'cams.example.com'],
      proxy: { networks: ['10.0.0.0/8', 'fd00::/64', '192.0.2.1'], operators: ['Ops', 'root@example.com'] },
    });
    expect(cluster.secret).toEqual([fresh, old]);
  });

  it.each([
    ['ops', 'API_KEYS: the role of ops must be read or operate'],
    ['a:read:12345678 :read:12345678', 'API_KEYS: entry 2 must be name:role:key'],
    ['ops:admin:12345678', 'API_KEYS: the role of ops must be read or operate'],
    ['ops:read:short', 'API_KEYS: the key of ops must be 8 to 256'],
    ['a:read:12345678 b:operate:12345678', 'API_KEYS: the key of b is that of another entry'],
  ])('refuses the keys %s', (API_KEYS, problem) => {
    expect(problemsOf({ ...required, API_KEYS })).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    [
      { ALERTMANAGER_URL: 'alertmanager:9093' },
      'ALERTMANAGER_URL: must be a URL that starts with http:// or https://',
    ],
    [
      { ALERTMANAGER_URL: 'http://169.254.169.254/' },
      'ALERTMANAGER_URL: must not lead to a link-local, multicast or reserved address, or to a metadata service',
    ],
    [
      { ALERT_WEBHOOK_URL: 'http://hook/' },
      'ALERT_WEBHOOK_SECRET: is missing; the address of a webhook and the key of its signatures belong together',
    ],
    [
      { ALERT_WEBHOOK_SECRET: Buffer.alloc(32).toString('base64') },
      'ALERT_WEBHOOK_URL: is missing; the address of a webhook and the key of its signatures belong together',
    ],
    [
      { ALERT_WEBHOOK_URL: 'http://hook/', ALERT_WEBHOOK_SECRET: 'c2hvcnQ=' },
      'ALERT_WEBHOOK_SECRET: must be 24 to 64 bytes in base64, such as the output of: openssl rand -base64 32',
    ],
    [{ ALERT_LABELS: 'job=cms,namespace' }, 'ALERT_LABELS: entry 2 must be name=value'],
    [{ ALERT_LABELS: 'severity=x' }, 'ALERT_LABELS: entry 1 must not set severity, which each alert has'],
  ])('refuses receivers of alerts that cannot work: %j', (env, problem) => {
    expect(problemsOf({ ...required, ...env })).toEqual([problem]);
  });

  it('refuses the placeholders of the examples', () => {
    const problems = problemsOf({
      ...required,
      API_KEY: 'replace-this',
      CLUSTER_SECRET: 'replace-this-by-32-random-characters',
      DATABASE_URL: 'postgresql://cms:replace-this@postgresql:5432/cms',
    });
    expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual([
      'API_KEY',
      'CLUSTER_SECRET',
      'DATABASE_URL',
    ]);
  });

  it('counts an empty value as unset', () => {
    expect(readConfig({ ...required, API_KEY: '', PORT: '' }).http).toMatchObject({
      keys: [],
      port: 3000,
    });
    expect(problemsOf({ ...required, DATABASE_URL: '' })).toEqual(['DATABASE_URL: must be set']);
  });

  it('names each parameter of a database URL that cannot be used', () => {
    const given = {
      ...required,
      DATABASE_URL: 'postgresql://root:hunter2@db/cms?shema=one&pool_timeout=x',
      DIRECT_URL: 'postgresql://root:hunter2@db/cms?target_session_attrs=primary',
    };
    const problems = problemsOf(given);
    expect(problems).toEqual([
      'DATABASE_URL: shema: is not known; did you mean schema?',
      'DATABASE_URL: pool_timeout: must be a whole number from 0 to 2147483',
      'DIRECT_URL: target_session_attrs: is not supported; the driver "pg" does not choose between hosts; name the primary and remove it',
    ]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('takes the address without a pooler from DIRECT_URL', () => {
    const [pooled, direct] = ['postgresql://bouncer/cms?pgbouncer=true', 'postgresql://db/cms'];
    expect(followed({ DATABASE_URL: pooled, DIRECT_URL: direct })).toBe(direct);
    expect(followed({})).toBe(required.DATABASE_URL);
    expect(problemsOf({ ...required, DATABASE_URL: pooled, CHANGE_FEED: 'true' })).toEqual([
      'DIRECT_URL: is missing; CHANGE_FEED cannot listen through the pooler of DATABASE_URL',
    ]);
    expect(problemsOf({ ...required, DATABASE_URL: pooled, DIRECT_URL: `${direct}?schema=one` })).toEqual([
      'DIRECT_URL: names another schema than DATABASE_URL; give both the same parameter "schema"',
    ]);
  });

  it('reports every problem at once, by name and without secrets', () => {
    const problems = problemsOf({
      DATABASE_URL: 'mysql://root:hunter2@db/cms',
      REDIS_URL: 'redis',
      REDIS_PORT: '70000',
      MODEL_BASE_URL: undefined,
      PORT: '8080x',
      API_KEY: 'short',
      CLUSTER_SECRET: 'hunter2',
      DETECTOR_WORKERS: 'http://w1,ws://w2,ws://w2',
      ELECTION_TIMING: 'slow',
      IDENTIFIER: 'a b',
      DETECT_DEBUG: 'maybe',
      RECENT_DETECTIONS: '0',
      LOG_LEVEL: 'loud',
    });
    expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual([
      'API_KEY',
      'CLUSTER_SECRET',
      'DATABASE_URL',
      'DETECTOR_WORKERS',
      'DETECTOR_WORKERS',
      'DETECT_DEBUG',
      'ELECTION_TIMING',
      'IDENTIFIER',
      'LOG_LEVEL',
      'MODEL_BASE_URL',
      'PORT',
      'RECENT_DETECTIONS',
      'REDIS_PORT',
      'REDIS_PORT',
      'REDIS_URL',
    ]);
    expect(problems.join()).not.toMatch(/hunter2/);
    expect(problems).toContain('MODEL_BASE_URL: set it, or MODEL_S3_BUCKET');
  });

  it.each([
    [
      'ws://w#v3',
      `entry 1: "ws://w#v3" must not have a fragment other than #v1 or #v2, the version of the worker's protocol`,
    ],
    ['ws://w:8000,ws://w:8000#v2', 'entry 2: ws://w:8000 is listed twice'],
    ['ws://w:8000,ws://user:pw@w:8000/', 'entry 2: ws://w:8000 is listed twice'],
    ['ws://', 'entry 1: "ws://" is not a URL; expected e.g. ws://worker1:8000'],
  ])('refuses the workers %s', (workers, problem) => {
    expect(problemsOf({ ...required, DETECTOR_WORKERS: workers })).toEqual([`DETECTOR_WORKERS: ${problem}`]);
  });

  it('refuses an entry that is not a network, and names its place in the list', () => {
    expect(problemsOf({ ...required, ALLOWED_NETWORKS: '10.0.0.0/8,10.0.0.0/40' })).toEqual([
      'ALLOWED_NETWORKS: entry 2 must be a network such as 10.0.0.0/8, an address or a host name, got "10.0.0.0/40"',
    ]);
  });

  it('names what is wrong with a window', () => {
    const windows = '0 1 * * Europe/Zurich 240; 0 1 * * * Mars 240; 0 1 * * * UTC four';
    expect(problemsOf({ ...required, REBALANCE_WINDOWS: windows })).toEqual([
      'REBALANCE_WINDOWS: entry 1: opens: must be a cron expression of five fields, got 0 1 * *',
      'REBALANCE_WINDOWS: entry 2: timeZone: must be an IANA name such as Europe/Zurich, got Mars',
      'REBALANCE_WINDOWS: entry 3: duration: must be a number of milliseconds from a minute to a week, got NaN',
    ]);
  });

  it.each([
    ['file:///var/pictures', { directory: '/var/pictures' }],
    ['file:///my%20pictures/', { directory: '/my pictures/' }],
    ['s3://evidence', { bucket: 'evidence', prefix: '' }],
    ['s3://evidence/lpr/a', { bucket: 'evidence', prefix: 'lpr/a/' }],
  ])('keeps pictures at %s', (place, expected) => {
    const env = { ...required, DETECTION_HISTORY: 'true', DETECTION_PICTURES: place };
    expect(readConfig({ ...env, DETECTION_PICTURES_MIB: '2' }).detectionHistory?.pictures).toEqual({
      place: expected,
      bytes: 2 * 1024 * 1024,
    });
  });

  it('names what is wrong with the place of pictures', () => {
    const env = { ...required, DETECTION_HISTORY: 'true' };
    for (const wrong of [
      '/var',
      'file://host/var',
      'file:///',
      'http://x/',
      's3://',
      's3://u:p@b',
      's3://b?x=1',
    ])
      expect([wrong, problemsOf({ ...env, DETECTION_PICTURES: wrong })]).toEqual([
        wrong,
        ['DETECTION_PICTURES: must be file:///directory or s3://bucket/prefix'],
      ]);
    expect(problemsOf({ ...required, DETECTION_PICTURES: 's3://evidence' })[0]).toContain(
      'needs DETECTION_HISTORY',
    );
    expect(problemsOf({ ...env, DETECTION_PICTURES_MIB: '5' })[0]).toContain('needs DETECTION_PICTURES');
  });

  it('needs the share of a canary beside its time', () => {
    expect(problemsOf({ ...required, MODEL_CANARY_TIME: '60000' })).toEqual([
      'MODEL_CANARY_TIME: needs MODEL_CANARY_SHARE; set that too, or leave this out',
    ]);
  });

  it('needs addresses of a trusted proxy, also where only its operators are given', () => {
    expect(problemsOf({ ...required, TRUSTED_PROXY: '10.0.0.0/33, proxy, 10.0.0.1' })).toEqual([
      'TRUSTED_PROXY: entry 1 must be an address or a network such as 10.0.0.0/8',
      'TRUSTED_PROXY: entry 2 must be an address or a network such as 10.0.0.0/8',
    ]);
    expect(problemsOf({ ...required, TRUSTED_PROXY_OPERATORS: 'ops' })).toEqual([
      'TRUSTED_PROXY_OPERATORS: needs TRUSTED_PROXY; set that too, or leave this out',
    ]);
  });

  it('needs a name and a known colour of a cluster', () => {
    expect(problemsOf({ ...required, CLUSTER_COLOUR: 'red' })).toEqual([
      'CLUSTER_COLOUR: needs CLUSTER_NAME; set that too, or leave this out',
    ]);
    expect(problemsOf({ ...required, CLUSTER_NAME: 'x'.repeat(41), CLUSTER_COLOUR: '#f00' })).toEqual([
      'CLUSTER_NAME: must be at most 40 characters',
      'CLUSTER_COLOUR: must be one of blue, green, orange, red, purple',
    ]);
    expect(readConfig({ ...required, CLUSTER_NAME: 'Lab' }).clusterLabel).toEqual({
      name: 'Lab',
      colour: null,
    });
  });

  it('needs exactly one address of Redis', () => {
    const { REDIS_URL: _, ...rest } = required;
    expect(problemsOf(rest)).toEqual(['REDIS_URL: set it, or REDIS_HOST or REDIS_SENTINELS']);
    expect(problemsOf({ ...required, REDIS_HOST: 'x' })).toEqual([
      'REDIS_HOST: must not be set together with REDIS_URL',
    ]);
  });

  it('takes the delivery options', () => {
    expect(delivery({ DELIVERY_ACCEPTANCE_REPLICAS: '1' }).acceptance).toEqual({
      replicas: 1,
      fsync: false,
      timeout: 1_000,
    });
    expect(delivery({ DELIVERY_ACCEPTANCE_FSYNC: 'true' }).acceptance).toEqual({
      replicas: 0,
      fsync: true,
      timeout: 5_000,
    });
    expect(
      problemsOf({
        ...required,
        DELIVERY_PARTITIONS: '0',
        DELIVERY_OVERFLOW: 'no',
        DELIVERY_ACCEPTANCE_REPLICAS: '0',
      }),
    ).toEqual([
      'DELIVERY_PARTITIONS: must be a whole number from 1 to 1024',
      'DELIVERY_OVERFLOW: must be drop-oldest or refuse-new',
      'DELIVERY_ACCEPTANCE_REPLICAS: must be a whole number from 1 to 100',
    ]);
    expect(problemsOf({ ...required, DELIVERY_ACCEPTANCE_TIMEOUT: '500' })).toEqual([
      'DELIVERY_ACCEPTANCE_TIMEOUT: needs DELIVERY_ACCEPTANCE_REPLICAS or DELIVERY_ACCEPTANCE_FSYNC; set one too, or leave this out',
    ]);
  });

  describe.each([
    [true, ['true', 'TRUE', '1']],
    [false, ['false', 'FALSE', '0']],
  ])('a flag that is %s', (isOn, texts) => {
    it.each(texts)('may be written as %s, for rules about several variables too', (flag) => {
      const acceptance = { DELIVERY_ACCEPTANCE_FSYNC: flag, DELIVERY_ACCEPTANCE_TIMEOUT: '500' };
      expect(problemsOf({ ...required, ...acceptance })).toHaveLength(isOn ? 0 : 1);
      const pictures = { DETECTION_HISTORY: flag, DETECTION_PICTURES: 's3://evidence' };
      expect(problemsOf({ ...required, ...pictures })).toHaveLength(isOn ? 0 : 1);
      const pooled = { DATABASE_URL: 'postgresql://bouncer/cms?pgbouncer=true', CHANGE_FEED: flag };
      expect(problemsOf({ ...required, ...pooled })).toHaveLength(isOn ? 1 : 0);
    });
  });

  it('takes the sentinels of a Redis', () => {
    const { REDIS_URL: _, ...rest } = required;
    const sentinel = { ...rest, REDIS_SENTINEL_NAME: 'mymaster' };
    expect(
      readConfig({ ...sentinel, REDIS_SENTINELS: 's1, 10.0.0.2:5000 ,[::1]:26380', REDIS_PASSWORD: 'pw' })
        .redis,
    ).toEqual({
      sentinels: [
        { host: 's1', port: 26_379 },
        { host: '10.0.0.2', port: 5_000 },
        { host: '::1', port: 26_380 },
      ],
      name: 'mymaster',
      password: 'pw',
    });
    for (const [entry, number] of [
      ['s1:99999', 1],
      ['s1,redis://s2', 2],
      ['s1:0', 1],
    ] as const)
      expect(problemsOf({ ...sentinel, REDIS_SENTINELS: entry })).toEqual([
        `REDIS_SENTINELS: entry ${number} must be host:port`,
      ]);
    expect(problemsOf({ ...rest, REDIS_SENTINELS: ' , ', REDIS_SENTINEL_NAME: 'mymaster' })).toEqual([
      'REDIS_SENTINELS: must name at least one sentinel',
    ]);
    expect(problemsOf({ ...rest, REDIS_SENTINELS: 's1' })).toEqual([
      'REDIS_SENTINEL_NAME: is missing; REDIS_SENTINELS needs the name of the master',
    ]);
    expect(problemsOf(sentinel)).toEqual(['REDIS_SENTINEL_NAME: needs REDIS_SENTINELS']);
    expect(problemsOf({ ...sentinel, REDIS_SENTINELS: 's1', REDIS_HOST: 'redis' })).toEqual([
      'REDIS_HOST: must not be set together with REDIS_SENTINELS',
    ]);
    expect(problemsOf({ ...required, REDIS_SENTINELS: 's1' })).toEqual([
      'REDIS_SENTINELS: must not be set together with REDIS_URL',
    ]);
  });

  const { MODEL_BASE_URL: _, ...withoutModels } = required;

  it('takes models from S3, with credentials or those that the SDK finds', () => {
    const s3 = { ...withoutModels, MODEL_S3_BUCKET: 'models' };
    expect(readConfig(s3).models).toEqual({ bucket: 'models', expiresIn: 3_600_000 });
    const all = {
      ...s3,
      MODEL_S3_REGION: 'eu-central-1',
      MODEL_S3_ENDPOINT: 'http://minio:9000',
      MODEL_S3_FORCE_PATH_STYLE: 'false',
      MODEL_S3_ACCESS_KEY_ID: 'id',
      MODEL_S3_SECRET_ACCESS_KEY: 's3cret',
      MODEL_S3_SESSION_TOKEN: 'session',
      MODEL_S3_URL_LIFETIME: '60000',
    };
    expect(readConfig(all).models).toEqual({
      bucket: 'models',
      region: 'eu-central-1',
      endpoint: 'http://minio:9000',
      forcePathStyle: false,
      credentials: { accessKeyId: 'id', secretAccessKey: 's3cret', sessionToken: 'session' },
      expiresIn: 60_000,
    });
  });

  it.each<[Record<string, string>, string]>([
    [{ MODEL_BASE_URL: 'http://m' }, 'MODEL_BASE_URL: must not be set together with MODEL_S3_BUCKET'],
    [
      { MODEL_S3_ACCESS_KEY_ID: 'id' },
      'MODEL_S3_SECRET_ACCESS_KEY: is missing; an access key and its id belong together',
    ],
    [
      { MODEL_S3_SECRET_ACCESS_KEY: 's3cret' },
      'MODEL_S3_ACCESS_KEY_ID: is missing; an access key and its id belong together',
    ],
    [
      { MODEL_S3_SESSION_TOKEN: 's3cret' },
      'MODEL_S3_SESSION_TOKEN: needs MODEL_S3_ACCESS_KEY_ID; set that too, or leave this out',
    ],
    [
      { MODEL_S3_ENDPOINT: 'http://id:s3cret@minio' },
      'MODEL_S3_ENDPOINT: must not hold credentials; set MODEL_S3_ACCESS_KEY_ID',
    ],
    [
      { MODEL_S3_URL_LIFETIME: '1000' },
      'MODEL_S3_URL_LIFETIME: must be a whole number from 60000 to 604800000',
    ],
  ])('refuses S3 with %j', (more, problem) => {
    expect(problemsOf({ ...withoutModels, MODEL_S3_BUCKET: 'models', ...more })).toEqual([problem]);
  });

  it('refuses settings of S3 without a bucket', () => {
    expect(problemsOf({ ...required, MODEL_S3_REGION: 'eu-central-1' })).toEqual([
      'MODEL_S3_REGION: needs MODEL_S3_BUCKET; set that too, or leave this out',
    ]);
  });

  it('needs both certificate and key of workers', () => {
    expect(problemsOf({ ...required, WORKER_TLS_CERT: pem('cert') })).toEqual([
      'WORKER_TLS_KEY: is missing; certificate and key belong together',
    ]);
    expect(problemsOf({ ...required, WORKER_TLS_CA: 'nonsense', WORKER_TOKEN: 'a b' })).toEqual([
      'WORKER_TOKEN: must be printable ASCII without blanks',
      'WORKER_TLS_CA: must be PEM',
    ]);
  });
});
