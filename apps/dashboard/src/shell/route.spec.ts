import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALL_PAGES, parseRoute, routeHref } from './route.js';

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

  it.each(['', '#', '#/', '#/nothing', '#main', '#/constructor'])('%j leads to the first page', (hash) => {
    expect(parseRoute(hash)).toEqual({ page: 'overview', parameters: {} });
  });

  it('omits empty parameters', () => {
    expect(routeHref('plan', { text: '' })).toBe('#/plan');
  });
});
