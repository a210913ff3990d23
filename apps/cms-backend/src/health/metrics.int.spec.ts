import { describe, expect, it } from 'vitest';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { useTestApp } from '../test-app.fixture.js';

describe('metrics', () => {
  const api = useTestApp({ API_KEY: 'correct-horse' });

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
