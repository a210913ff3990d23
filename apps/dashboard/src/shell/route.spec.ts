import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_PAGES, hrefInRange, parseRoute, routeHref } from './route.js';

describe('parseRoute', () => {
  it('reads any link of routeHref', () => {
    const parameters = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }));
    fc.assert(
      fc.property(fc.constantFrom(...ALL_PAGES), parameters, (page, parameters) => {
        const route = parseRoute(routeHref(page, parameters));
        expect(route.page).toBe(page);
        expect({ ...route.parameters }).toEqual({ ...parameters });
      }),
    );
  });

  it.each(['#/nothing', '#/constructor', '#/Overview'])('%j is not found', (hash) => {
    expect(parseRoute(hash)).toEqual({ page: 'not-found', parameters: {} });
  });

  it.each(['', '#', '#/'])('%j leads to the first page', (hash) => {
    expect(parseRoute(hash)).toEqual({ page: 'overview', parameters: {} });
  });

  it('omits empty parameters', () => {
    expect(routeHref('plan', { text: '' })).toBe('#/plan');
  });
});

describe('hrefInRange', () => {
  it.each([
    ['#/worker?url=a', '1h', '#/worker?url=a&range=1h'],
    ['#/events', '1h', '#/events?range=1h'],
    ['#/events?range=24h', '1h', '#/events?range=24h'],
    ['#/worker?url=a', undefined, '#/worker?url=a'],
    ['#/cameras?text=a', '1h', '#/cameras?text=a'],
  ])('leads from %s with the range %s to %s', (href, range, expected) => {
    expect(hrefInRange(href, range)).toBe(expected);
  });
});
