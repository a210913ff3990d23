import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { codesInManual } from '../wording/codes-in-manual.fixture.js';
import { phraseText } from '../wording/phrase.js';
import { EVENT_KINDS, eventKind } from './event-sentence.js';

const event = (type: string, details: Record<string, unknown> = {}): EventItem => ({
  eventId: '1-0',
  type,
  at: '2026-01-01T00:00:00.000Z',
  term: 7,
  ...details,
});

const say = (type: string, details?: Record<string, unknown>) =>
  phraseText(eventKind(type).sentence(event(type, details)));

describe('events', () => {
  it('all have a sentence', () => {
    const documented = codesInManual(
      'operators',
      'reads it on any process, oldest first',
      'Each has `at`',
      'text',
    );
    expect(documented).toContain('camera-moved');
    expect(Object.keys(EVENT_KINDS).toSorted()).toEqual(documented.toSorted());
  });

  it('say what happened', () => {
    const action = { by: 'ops', action: 'workersDrain' };
    expect(say('operator-action', { ...action, target: 'ws://a' })).toBe(
      'ops started to drain worker ws://a.',
    );
    expect(say('operator-action', { ...action, target: null })).toBe('ops started to drain a worker.');
    expect(say('master-acquired', { processId: 'p1' })).toBe('p1 became master.');
    const processId = 'backend-1:01234567-89ab-cdef-0123-456789abcdef';
    expect(say('master-acquired', { processId })).toBe('backend-1 became master.');
    expect(say('camera-moved', { cameraId: 'c', from: 'ws://a', to: 'ws://b', reason: 'drain' })).toBe(
      'Camera c moved from ws://a to ws://b: its worker is being drained.',
    );
    expect(say('camera-moved', { cameraId: 'c', from: 'a', to: 'b', reason: 'boredom' })).toMatch(
      /: boredom\.$/,
    );
    const removed = { subscriptionIdentifier: 'd;c', skipped: null };
    expect(say('subscription-removed', removed)).toBe('d;c is no longer desired.');
    expect(say('subscription-removed', { ...removed, skipped: 'no-camera' })).toBe(
      'd;c ended: its display is skipped. Display has no camera.',
    );
    expect(say('worker-quarantined', { url: 'ws://a', until: '2026-01-01T12:34:56.000Z' })).toMatch(
      /^ws:\/\/a .* until .*:34:56 \S+\.$/,
    );
  });

  it('say how long an outage took', () => {
    const since = '2026-01-01T00:00:00.000Z';
    const redis = { processId: 'p1', since, until: '2026-01-01T00:00:12.300Z' };
    expect(say('redis-unavailable', redis)).toMatch(
      /^Redis did not answer p1 for 12 s, from .*:00:00 \S+ to .*:00:12 \S+\.$/,
    );
    expect(say('redis-unavailable', { ...redis, until: '2026-01-01T00:00:00.900Z' })).toMatch(
      /for less than 1 s/,
    );
    expect(say('redis-unavailable', { since })).toMatch(
      /^Redis did not answer \(unknown\), from .* to \(unknown\)\.$/,
    );
    expect(say('model-failed', { url: 'ws://w1', cameraId: 'c1', cameras: 3, problem: 'HTTP 404' })).toBe(
      'Worker ws://w1 cannot load the model of 3 cameras, such as c1: HTTP 404.',
    );
    const rollout = { modelName: 'cars', modelId: 7, version: 'v2', ready: 2, cameras: 40, failed: 1 };
    expect(say('model-rollout', { ...rollout, step: 'paused' })).toBe(
      '2 of 40 cameras run version v2 of model cars. 1 could not load it, so no further camera gets it.',
    );
    expect(say('model-rollout', { ...rollout, step: 'done' })).toMatch(/cars\. No camera waits for it\.$/);
    expect(say('database-unavailable', { problem: 'connect ECONNREFUSED' })).toMatch(
      /: connect ECONNREFUSED$/,
    );
    expect(say('database-available', { since, at: '2026-01-01T00:03:00.000Z' })).toMatch(
      /again after 3 min\.$/,
    );
  });

  it('have a sentence if a detail is missing or of another type', () => {
    expect(say('worker-online')).toBe('(unknown) is online and accepts cameras.');
    expect(say('worker-online', { url: { a: ['<b>'] } })).toBe(
      '{"a":["<b>"]} is online and accepts cameras.',
    );
    expect(say('worker-quarantined', { url: 'a', until: 'later' })).toMatch(/until later\.$/);
  });

  it('of unknown types show all their fields', () => {
    expect(eventKind('constructor').label).toBe('constructor');
    expect(say('constructor', { a: 'x', n: 1 })).toBe('a: x, n: 1');
    expect(say('moon-full')).toBe('No details.');
  });

  it('isolate texts of unknown origin', () => {
    const moved = event('camera-moved', { cameraId: 'c', from: 'a', to: 'b', reason: 'drain' });
    expect(eventKind('camera-moved').sentence(moved)).toContain('its worker is being drained');
    expect(eventKind('camera-moved').sentence({ ...moved, reason: '<b>' })).toContainEqual({ value: '<b>' });
    expect(eventKind('worker-online').sentence(event('worker-online', { url: '\u202Ews' }))[0]).toEqual({
      value: '\u202Ews',
      href: '#/worker?url=%E2%80%AEws',
    });
    expect(eventKind('worker-online').sentence(event('worker-online'))[0]).toEqual({ value: '(unknown)' });
  });
});
