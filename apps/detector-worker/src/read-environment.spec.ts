import { describe, expect, it } from 'vitest';
import { readEnvironment } from './read-environment.js';

describe('readEnvironment', () => {
  it('has a default for everything, and treats an empty variable as unset', () => {
    const result = readEnvironment({ PORT: '', FAULT_REFUSE: '', WORKER_NAME: 'w', UNRELATED: 'x' });
    expect(result).toEqual({
      ok: true,
      address: { port: 8000, host: '0.0.0.0' },
      options: {
        workerName: 'w',
        detectionsPerSecond: 1,
        stateReportInterval: 2000,
        onDisconnect: 'linger',
        lingerMs: 15_000,
        protocol: 'any',
        fencing: 'on',
        capacity: 16,
        openCameras: 'off',
        downloadModels: 'off',
        control: 'off',
        patchSessionEveryMs: null,
        faults: { refuse: [], offline: [] },
      },
    });
  });

  it('reads every variable', () => {
    const result = readEnvironment({
      PORT: '0',
      HOST: '127.0.0.1',
      WORKER_NAME: 'gpu-1',
      DETECTIONS_PER_SECOND: '0.5',
      STATE_REPORT_INTERVAL: '250',
      ON_DISCONNECT: 'drop',
      LINGER_MS: '0',
      PROTOCOL: 'v2',
      FENCING: 'off',
      CAPACITY: '4',
      OPEN_CAMERAS: 'on',
      DOWNLOAD_MODELS: 'on',
      CONTROL: 'on',
      PATCH_SESSION_EVERY_MS: '1000',
      FAULT_REFUSE: 'd1;c1, c2,,',
      FAULT_OFFLINE: 'c3',
    });
    expect(result).toEqual({
      ok: true,
      address: { port: 0, host: '127.0.0.1' },
      options: {
        workerName: 'gpu-1',
        detectionsPerSecond: 0.5,
        stateReportInterval: 250,
        onDisconnect: 'drop',
        lingerMs: 0,
        protocol: 'v2',
        fencing: 'off',
        capacity: 4,
        openCameras: 'on',
        downloadModels: 'on',
        control: 'on',
        patchSessionEveryMs: 1000,
        faults: { refuse: ['d1;c1', 'c2'], offline: ['c3'] },
      },
    });
  });

  it('reports all problems at once, each by the name of its variable', () => {
    const wrong = {
      PORT: '65536',
      DETECTIONS_PER_SECOND: '-1',
      STATE_REPORT_INTERVAL: '1',
      ON_DISCONNECT: 'stay',
      LINGER_MS: '1.5',
      PROTOCOL: '2',
      FENCING: 'yes',
      CAPACITY: '0',
      DOWNLOAD_MODELS: 'yes',
      CONTROL: 'true',
      PATCH_SESSION_EVERY_MS: '1e3',
    };
    const result = readEnvironment(wrong);
    const problems = result.ok ? [] : result.problems;
    expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual(Object.keys(wrong).sort());
  });
});
