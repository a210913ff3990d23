import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import { MasterRequestError } from '../shared/master-errors.js';
import { parseReply, parseRequest, fromWireError, toWireError } from './request-message.js';

const request = { id: 'i', from: 'p', method: 'm', params: { a: 1 } };

describe('messages to and from the master', () => {
  it('are read', () => {
    expect(parseRequest(JSON.stringify(request))).toEqual(request);
    expect(parseReply('{"id":"i","state":"done","result":{"a":1}}')).toEqual({
      id: 'i',
      state: 'done',
      result: { a: 1 },
    });
  });

  it.each([
    'garbage{',
    'null',
    '[]',
    JSON.stringify({ ...request, id: 7 }),
    JSON.stringify({ ...request, from: '' }),
    JSON.stringify({ ...request, method: 'm'.repeat(65) }),
    JSON.stringify({ ...request, params: 'x'.repeat(65_536) }),
  ])('are refused when they are no requests: %.60s', (text) => {
    expect(parseRequest(text)).toBeNull();
  });

  it.each(['garbage{', '{"id":"i","state":"dancing"}', '{"id":"i","state":"failed","error":{"kind":"new"}}'])(
    'are refused when they are no replies: %s',
    (text) => {
      expect(parseReply(text)).toBeNull();
    },
  );
});

const travel = (error: unknown) => fromWireError(toWireError(error), 'explain');

describe('errors in transit', () => {
  it('keep their type when the input was invalid', () => {
    const error = travel(new InvalidInputError('workers', 'w: occurs twice'));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ field: 'workers', message: 'workers: w: occurs twice' });
  });

  it('name the call, the error and its message', () => {
    const error = travel(new TypeError('x is not a function'));
    expect(error).toBeInstanceOf(MasterRequestError);
    expect(error).toMatchObject({
      problem: 'failed',
      call: 'explain',
      message: 'explain: the master failed with TypeError: x is not a function',
    });
    expect(travel('text').message).toMatch(/the master failed with text$/);
  });

  it('are short', () => {
    expect(travel(new Error('x'.repeat(100_000))).message.length).toBeLessThan(1_100);
    expect(travel(new InvalidInputError('f', 'x'.repeat(100_000))).message.length).toBeLessThan(1_100);
  });
});
