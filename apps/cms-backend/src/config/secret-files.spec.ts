import { describe, expect, it } from 'vitest';
import { readConfig } from './read-config.js';
import { problemsOf, required, secretFolder } from './read-config.fixture.js';

describe('variables with values in files', () => {
  const folder = secretFolder();

  it('takes a secret without the line break at its end', () => {
    const config = readConfig({
      REDIS_URL: required.REDIS_URL,
      MODEL_S3_BUCKET: 'models',
      MODEL_S3_ACCESS_KEY_ID: 'id',
      API_KEY_FILE: folder.write('key', 'a-long-key\n'),
      DATABASE_URL_FILE: folder.write('database', `${required.DATABASE_URL}\r\n`),
      CLUSTER_SECRET_FILE: folder.write('secret', ` ${'x'.repeat(32)}\n\n`),
      MODEL_S3_SECRET_ACCESS_KEY_FILE: folder.write('s3', 's3cret'),
    });
    expect(config).toMatchObject({
      http: { keys: [{ name: 'api-key', role: 'operate', key: 'a-long-key' }] },
      databaseUrl: required.DATABASE_URL,
      cluster: { secret: ['x'.repeat(32)] },
      models: { credentials: { accessKeyId: 'id', secretAccessKey: 's3cret' } },
    });
  });

  it('names the variable of a wrong file, and never its content', () => {
    const missing = folder.path('nowhere');
    const problems = problemsOf({
      ...required,
      API_KEY_FILE: folder.write('short', 'hunter2'),
      CLUSTER_SECRET: 'x'.repeat(32),
      CLUSTER_SECRET_FILE: folder.write('other', 'hunter2'),
      WORKER_TOKEN_FILE: folder.write('empty', '\n'),
      WORKER_TLS_CA_FILE: missing,
      DATABASE_URL: undefined,
      DATABASE_URL_FILE: missing,
    });
    const unreadable = `cannot read ${missing} (ENOENT); mount it and let this user read it`;
    expect([...problems].sort()).toEqual([
      'API_KEY_FILE: must be 8 to 256 printable ASCII characters without spaces',
      'CLUSTER_SECRET_FILE: must not be set together with CLUSTER_SECRET',
      `DATABASE_URL_FILE: ${unreadable}`,
      `WORKER_TLS_CA_FILE: ${unreadable}`,
      `WORKER_TOKEN_FILE: ${folder.path('empty')} is empty; write the value into it`,
    ]);
  });
});
