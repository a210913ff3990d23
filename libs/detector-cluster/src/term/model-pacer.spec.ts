import type { DesiredEntry, TrackedSubscription } from '@detector-cluster/placement/internal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ModelPacer } from './model-pacer.js';

/** Subscriptions of one model, which all run `v1` and are to run `v2`. */
class Site {
  readonly entries = new Map<string, DesiredEntry>();
  readonly tracked = new Map<string, TrackedSubscription>();
  readonly events: string[] = [];
  readonly turns: (readonly string[])[] = [];
  private readonly ended = new AbortController();
  readonly pacer = new ModelPacer({
    desired: () => this.entries,
    tracked: () => this.tracked,
    targetOf: () => 'v2',
    journal: {
      add: (event) => {
        const { cameras, failed, ready, step } = event as Record<string, unknown> & object;
        this.events.push([step, ready, cameras, failed].join(' '));
      },
    },
    logger: { log: () => undefined, warn: () => undefined },
    wallNow: () => 0,
    onTurn: ({ displays = [] }) => this.turns.push(displays),
    signal: this.ended.signal,
  });

  constructor(...ids: readonly string[]) {
    onTestFinished(() => this.ended.abort());
    for (const id of ids) this.set(id, 'v1', {});
  }

  set(
    id: string,
    modelVersion: string,
    state: Partial<TrackedSubscription>,
    more: Partial<DesiredEntry['spec']> & { redacted?: boolean } = {},
  ): void {
    const { redacted = false, ...fields } = more;
    const spec = {
      subscriptionIdentifier: id,
      rtspUrl: 'rtsp://h/1',
      modelId: 7,
      modelName: 'cars',
      createdAt: '',
      modelVersion,
      ...fields,
    };
    this.entries.set(id, { spec, hash: modelVersion, cameraId: id.split(';')[1]!, redacted });
    const tracked = { status: 'active', reason: 'streaming', since: 0, specHash: modelVersion, ...state };
    this.tracked.set(id, tracked as TrackedSubscription);
  }

  versionOf(id: string): string | undefined {
    return this.pacer.versionOf(this.entries.get(id)!.spec);
  }
}

const FAILED = { status: 'failed', reason: 'model-failed', detail: 'HTTP 404' } as const;

describe('ModelPacer', () => {
  it('keeps the version of a subscription until it is its turn', async () => {
    const site = new Site('a;c1', 'b;c2');
    expect(['a;c1', 'b;c2'].map((id) => site.versionOf(id))).toEqual(['v1', 'v1']);
    await site.pacer.look();
    expect(['a;c1', 'b;c2'].map((id) => site.versionOf(id))).toEqual(['v2', 'v1']);
    expect(site.turns).toEqual([['a']]);
    await site.pacer.look();
    expect(site.turns).toEqual([['a']]);
  });

  it('gives all subscriptions of a camera the version together', async () => {
    const site = new Site('a;c1', 'b;c2', 'c;c1');
    await site.pacer.look();
    expect(site.turns).toEqual([['a', 'c']]);
    site.set('a;c1', 'v2', {});
    await site.pacer.look();
    // The other one has not been read yet.
    expect(site.turns).toEqual([['a', 'c']]);
    site.set('c;c1', 'v2', {});
    await site.pacer.look();
    expect(site.turns).toEqual([['a', 'c'], ['b']]);
  });

  it('gives a subscription that is new, or of another model before, the version at once', () => {
    const site = new Site('a;c1');
    const { spec } = site.entries.get('a;c1')!;
    expect(site.pacer.versionOf({ ...spec, subscriptionIdentifier: 'n;c9' })).toBe('v2');
    expect(site.pacer.versionOf({ ...spec, modelId: 8 })).toBe('v2');
  });

  it('announces a pause once, however often the camera is tried, and then the end', async () => {
    const site = new Site('a;c1', 'b;c2');
    await site.pacer.look();
    for (let times = 0; times < 3; times++) {
      site.set('a;c1', 'v2', FAILED);
      await site.pacer.look();
      site.set('a;c1', 'v2', { status: 'recovering', reason: 'awaiting-report' });
      await site.pacer.look();
    }
    expect(site.events).toEqual(['paused 0 2 1']);
    for (const id of ['a;c1', 'b;c2']) {
      site.set(id, 'v2', {});
      await site.pacer.look();
    }
    await site.pacer.look();
    expect(site.events).toEqual(['paused 0 2 1', 'done 2 2 0']);
  });

  it('does not wait for subscriptions that it cannot change', async () => {
    const site = new Site('a;c1');
    site.set('r;c2', 'v1', {}, { redacted: true });
    site.set('o;c3', 'v1', {}, { modelUrl: 'http://own/file' });
    await site.pacer.look();
    site.set('a;c1', 'v2', {});
    await site.pacer.look();
    expect([site.turns, site.events]).toEqual([[['a']], ['done 1 1 0']]);
  });

  it('forgets a model that no subscription uses', async () => {
    const site = new Site('a;c1');
    await site.pacer.look();
    site.entries.clear();
    await site.pacer.look();
    site.set('a;c1', 'v2', {});
    await site.pacer.look();
    expect(site.events).toEqual([]);
  });
});
