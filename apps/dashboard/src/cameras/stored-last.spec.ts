import { beforeEach, describe, expect, it } from 'vitest';
import { detection } from '../detections/detection.fixture.js';
import { StoredLast } from './stored-last.js';

const settled = () => new Promise(setImmediate);

describe('the last detections that the service keeps', () => {
  let asked: string[];
  let keeps: boolean | Error;
  let fails: boolean;
  let last: StoredLast;

  beforeEach(() => {
    asked = [];
    keeps = true;
    fails = false;
    last = new StoredLast({
      keeps: async () => {
        asked.push('keeps');
        if (keeps instanceof Error) throw keeps;
        return keeps;
      },
      find: async (cameraId) => {
        asked.push(cameraId);
        if (fails) throw new Error('away');
        return cameraId === 'empty' ? null : detection(cameraId);
      },
    });
  });

  it('are asked for once for each camera, the latest request first', async () => {
    for (const camera of ['a', 'b', 'empty', 'a']) last.want(camera);
    await settled();
    last.want('a');
    last.want('empty');
    await settled();
    expect(asked).toEqual(['keeps', 'a', 'empty', 'b']);
    expect([...last.found.value.keys()].sort()).toEqual(['a', 'b', 'empty']);
    expect(last.found.value.get('a')?.detectionId).toBe('a');
    expect(last.found.value.get('empty')).toBeNull();
  });

  it('are replaced by newer ones, and asked for again after the camera was not shown', async () => {
    last.note('a', detection('before'));
    last.want('a');
    await settled();
    last.note('a', detection('newer'));
    expect(last.found.value.get('a')?.detectionId).toBe('newer');
    last.forget('a');
    last.want('a');
    await settled();
    expect(last.found.value.get('a')?.detectionId).toBe('a');
    expect(asked).toEqual(['keeps', 'a', 'a']);
  });

  it('are not asked for if the camera has left the view', async () => {
    const leave = last.want('a');
    last.want('b');
    leave();
    await settled();
    expect(asked).toEqual(['keeps', 'b']);
  });

  it('are not asked for if the service keeps none', async () => {
    keeps = false;
    last.want('a');
    await settled();
    last.want('b');
    await settled();
    expect(asked).toEqual(['keeps']);
    expect(last.found.value.size).toBe(0);
  });

  it('are asked for again after the service was unavailable', async () => {
    keeps = new Error('away');
    last.want('a');
    await settled();
    keeps = true;
    fails = true;
    last.want('a');
    await settled();
    fails = false;
    last.want('a');
    await settled();
    expect(last.found.value.has('a')).toBe(true);
  });
});
