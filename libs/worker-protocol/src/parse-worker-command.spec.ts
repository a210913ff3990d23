import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { subscribeExample } from './fixtures/examples.fixture.js';
import { parseWorkerCommand } from './frames.js';

const parse = (value: unknown) => parseWorkerCommand(JSON.stringify(value));
const subscribeWith = (fields: object) => ({
  type: 'subscribe',
  payload: { ...subscribeExample.payload, ...fields },
});

const listOf = (subscriptions: unknown) => ({ type: 'setSubscriptionList', payload: { subscriptions } });

describe('parseWorkerCommand', () => {
  it.each([
    ['a subscribe', subscribeExample],
    ['a subscribe without options', subscribeWith({ snapshotUrl: undefined, cropX1: undefined })],
    ['fields of a later version', { ...subscribeWith({ priority: 3 }), traceId: 'abc' }],
    ['a list of subscriptions', listOf([subscribeExample.payload])],
    ['an empty list of subscriptions', listOf([])],
    ['a request for state', { type: 'requestState' }],
    ['a request for state with an empty payload', { type: 'requestState', payload: {} }],
    ['a session', { type: 'setSessionId', payload: { displayIdentifier: 'd', sessionId: 9 } }],
    ['a cleared session', { type: 'setSessionId', payload: { displayIdentifier: 'd', sessionId: null } }],
    [
      'a session result',
      { type: 'patchSessionResult', payload: { sessionId: 9, success: false, message: 'no' } },
    ],
  ])('accepts %s', (_, command) => {
    expect(parse(command)).toEqual({ ok: true, command: JSON.parse(JSON.stringify(command)) });
  });

  it.each([
    ['invalid-subscribe', { type: 'subscribe' }],
    ['invalid-subscribe', subscribeWith({ subscriptionIdentifier: '' })],
    ['invalid-subscribe', subscribeWith({ modelId: '12' })],
    ['invalid-subscribe', subscribeWith({ cropX1: -1 })],
    ['invalid-subscribe', { ...subscribeExample.payload, type: 'subscribe' }],
    ['invalid-setSubscriptionList', listOf(undefined)],
    ['invalid-setSubscriptionList', { type: 'setSubscriptionList' }],
    ['invalid-setSubscriptionList', listOf([{ ...subscribeExample.payload, modelId: '12' }])],
    ['invalid-unsubscribe', { type: 'unsubscribe', payload: {} }],
    ['invalid-setSessionId', { type: 'setSessionId', payload: { displayIdentifier: 'd' } }],
    ['invalid-patchSessionResult', { type: 'patchSessionResult', payload: { sessionId: 1, success: 'yes' } }],
    ['unknown-type', { type: 'imageDetection' }],
  ])('says %s to %j', (kind, command) => {
    expect(parse(command)).toMatchObject({ ok: false, kind });
  });

  it('accepts a list of subscriptions without a payload around it', () => {
    const { payload, type } = listOf([subscribeExample.payload]);
    expect(parse({ type, ...payload })).toEqual(parse({ type, payload }));
    expect(parse({ type, ...payload })).toMatchObject({ ok: true });
  });

  it('keeps credentials out of the detail', () => {
    const result = parse(subscribeWith({ rtspUrl: ['rtsp://user:hunter2@host'], modelId: 'hunter2' }));
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (frame) => {
        expect(typeof parseWorkerCommand(frame).ok).toBe('boolean');
      }),
    );
  });
});
