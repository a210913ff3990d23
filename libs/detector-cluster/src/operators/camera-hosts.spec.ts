import { describe, expect, it } from 'vitest';
import { cameraHosts } from './camera-images.js';

const worker = (url: string, online: boolean, ...subscriptions: string[]) => ({ url, online, subscriptions });

describe('cameraHosts', () => {
  const workers = [
    worker('a', true, 'd1;c1', 'd2;c1'),
    worker('b', true, 'd1;c1'),
    worker('c', false, 'd1;c1'),
  ];

  it('puts the holder first and leaves out offline workers', () => {
    expect(cameraHosts('d1;c1', workers, 'b').map(({ workerUrl }) => workerUrl)).toEqual(['b', 'a']);
    expect(cameraHosts('d1;c1', workers, 'c').map(({ workerUrl }) => workerUrl)).toEqual(['a', 'b']);
  });

  it('finds any subscription of a camera, and no camera whose name merely ends alike', () => {
    expect(cameraHosts('c1', workers, null)).toContainEqual({
      workerUrl: 'a',
      subscriptionIdentifier: 'd1;c1',
    });
    expect(cameraHosts('1', workers, null)).toEqual([]);
    expect(cameraHosts('d9;c1', workers, null)).toEqual([]);
  });
});
