import { afterEach, expect } from 'vitest';
import { ProcessGroup } from './process-group.js';

/** Makes groups that end with the test. Whatever the test was about, the history must be clean. */
export function useGroup(): (...options: ConstructorParameters<typeof ProcessGroup>) => ProcessGroup {
  const groups: ProcessGroup[] = [];
  afterEach(async () => {
    const made = groups.splice(0);
    try {
      for (const group of made) expect(group.verdict()).toEqual([]);
    } finally {
      await Promise.all(made.map((group) => group.stop()));
    }
  });
  return (...options) => {
    const group = new ProcessGroup(...options);
    groups.push(group);
    return group;
  };
}
