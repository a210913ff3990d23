import type { ReleasePlan } from '@changesets/types';
import type { Change, Release } from './add-release.js';

/**
 * The release of a plan of changesets. All public packages have one version.
 * @param current Current version of the packages. Without changesets it is released: the first release.
 */
export function toRelease(plan: ReleasePlan, current: string, now: Date): Release {
  return {
    version: plan.releases.find(({ type }) => type !== 'none')?.newVersion ?? current,
    date: now.toISOString().slice(0, 10),
    changes: plan.changesets.flatMap(({ summary, releases }): Change[] => {
      const concerned = releases.filter(({ type }) => type !== 'none');
      const type = (['major', 'minor', 'patch'] as const).find((each) =>
        concerned.some((release) => release.type === each),
      );
      const packages = concerned.map(({ name }) => name.replace(/^@[^/]+\//, ''));
      return type ? [{ type, packages, summary }] : [];
    }),
  };
}
