import { describe, expect, it } from 'vitest';
import { startAll } from './start-all.js';

class Service {
  stopped = false;

  async stop(): Promise<void> {
    this.stopped = true;
  }
}

describe('startAll', () => {
  it('returns the services in the order of their starts', async () => {
    const [one, other] = [new Service(), new Service()];
    const late = new Promise<Service>((resolve) => setImmediate(() => resolve(one)));
    expect(await startAll([late, Promise.resolve(other)])).toEqual([one, other]);
    expect(one.stopped).toBe(false);
  });

  it('stops the others if one does not start, also those that start later', async () => {
    const services = [new Service(), new Service()];
    const late = new Promise<Service>((resolve) => setImmediate(() => resolve(services[1]!)));
    const failed = Promise.reject(new Error('no port'));
    await expect(startAll([Promise.resolve(services[0]!), failed, late])).rejects.toThrow('no port');
    expect(services.map(({ stopped }) => stopped)).toEqual([true, true]);
  });
});
