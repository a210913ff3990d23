import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.error.js';
import { readConfig } from './read-config.js';

const required = {
  DATABASE_URL: 'postgresql://u:p@db:5432/cms',
  REDIS_URL: 'redis://redis:6379',
  MODEL_BASE_URL: 'http://models/files',
};

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('has a default for everything that is not required', () => {
    expect(readConfig(required)).toEqual({
      http: { port: 3000, host: '0.0.0.0', apiKey: null },
      databaseUrl: required.DATABASE_URL,
      redis: { url: required.REDIS_URL },
      cluster: {
        workers: [],
        keyPrefix: '',
        modelBaseUrl: required.MODEL_BASE_URL,
        changeFeed: false,
        secret: null,
        debug: false,
      },
      election: { lockName: 'master-election', timing: 'default', identifier: null },
      recentDetections: 1000,
      logLevels: ['fatal', 'error', 'warn', 'log'],
    });
  });

  it('reads every variable', () => {
    const config = readConfig({
      DATABASE_URL: required.DATABASE_URL,
      MODEL_BASE_URL: required.MODEL_BASE_URL,
      PORT: '0',
      HOST: '127.0.0.1',
      API_KEY: 'a-long-key',
      REDIS_HOST: 'redis',
      REDIS_PORT: '6380',
      REDIS_PASSWORD: 'pw',
      DETECTOR_WORKERS: ' ws://one:8000, wss://user:pw@two/ ,',
      KEY_PREFIX: '{detector}:',
      CHANGE_FEED: '1',
      CLUSTER_SECRET: 'x'.repeat(32),
      DETECT_DEBUG: 'TRUE',
      LOCK_NAME: '{lock}',
      ELECTION_TIMING: 'fast',
      IDENTIFIER: 'backend-1',
      RECENT_DETECTIONS: '10',
      LOG_LEVEL: 'warn',
    });
    expect(config).toEqual({
      http: { port: 0, host: '127.0.0.1', apiKey: 'a-long-key' },
      databaseUrl: required.DATABASE_URL,
      redis: { host: 'redis', port: 6380, password: 'pw' },
      cluster: {
        workers: ['ws://one:8000', 'wss://user:pw@two/'],
        keyPrefix: '{detector}:',
        modelBaseUrl: required.MODEL_BASE_URL,
        changeFeed: true,
        secret: 'x'.repeat(32),
        debug: true,
      },
      election: { lockName: '{lock}', timing: 'fast', identifier: 'backend-1' },
      recentDetections: 10,
      logLevels: ['fatal', 'error', 'warn', 'debug'],
    });
  });

  it('counts an empty value as unset', () => {
    expect(readConfig({ ...required, API_KEY: '', PORT: '' }).http).toMatchObject({
      apiKey: null,
      port: 3000,
    });
    expect(problemsOf({ ...required, DATABASE_URL: '' })).toEqual(['DATABASE_URL: must be set']);
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
    expect(problems).toContain('MODEL_BASE_URL: must be set');
  });

  it.each([
    ['ws://w#v2', 'entry 1 must not have a fragment'],
    ['ws://w:8000,ws://user:pw@w:8000/', 'entry 2 repeats an earlier one'],
    ['ws://', 'entry 1 must be a URL that starts with ws:// or wss://'],
  ])('refuses the workers %s', (workers, problem) => {
    expect(problemsOf({ ...required, DETECTOR_WORKERS: workers })).toEqual([`DETECTOR_WORKERS: ${problem}`]);
  });

  it('needs Redis by one way, not by two', () => {
    const { REDIS_URL: _, ...rest } = required;
    expect(problemsOf(rest)).toEqual(['REDIS_URL: set it, or REDIS_HOST']);
    expect(problemsOf({ ...required, REDIS_HOST: 'x' })).toEqual([
      'REDIS_HOST: must not be set together with REDIS_URL',
    ]);
  });
});
