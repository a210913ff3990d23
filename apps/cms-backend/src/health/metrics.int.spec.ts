import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { startTestApp, type TestApp } from '../test-app.fixture.js';

describe('metrics', () => {
  let database: TestDatabase;
  let api: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    api = await startTestApp({
      DATABASE_URL: database.url,
      REDIS_URL: process.env.REDIS_URL,
      API_KEY: 'correct-horse',
    });
  }, TIMEOUT);
  afterAll(async () => {
    await api?.close();
    await database?.drop();
  }, TIMEOUT);

  const scrape = async () => {
    const answer = await fetch(`${api.url}/metrics`, {
      headers: { authorization: 'Bearer correct-horse' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; ?version=0\.0\.4/);
    return (await answer.text()).split('\n');
  };

  it(
    'are those of the process, its election and its cluster, in the format of Prometheus, with the API key',
    async () => {
      await eventually(async () => {
        expect(await scrape()).toEqual(
          expect.arrayContaining([
            'master_election_role{election="default"} 1',
            'detector_cluster_partitions 32',
          ]),
        );
      });
      const lines = await scrape();
      expect(lines).toContain('master_election_members{election="default"} 1');
      expect(lines).toContain(
        'master_election_transitions_total{election="default",to="master",reason="vacant"} 1',
      );
      expect(lines).toContain('detector_cluster_workers{state="Ready"} 0');
      expect(lines).toContain('detector_cluster_detections_dropped_total{reason="refused"} 0');
      expect(lines.some((line) => /^process_resident_memory_bytes \d/.test(line))).toBe(true);
    },
    2 * TIMEOUT,
  );
});
