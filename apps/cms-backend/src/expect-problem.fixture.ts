import { expect } from 'vitest';
import type { Problem } from './http/problem.js';
import type { Answer } from './test-app.fixture.js';

/** Checks that an answer is a complete problem of the given status, and returns it. */
export function expectProblem(answer: Answer<unknown>, status: number): Problem {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(answer.body).toMatchObject({
    type: expect.stringMatching(/^urn:cms-backend:problem:[a-z-]+$/),
    title: expect.stringMatching(/./),
    detail: expect.stringMatching(/./),
    instance: expect.stringMatching(/^\//),
    status,
  });
  return answer.body as Problem;
}
