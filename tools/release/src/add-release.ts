import type { ReleasePlan } from '@changesets/types';

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

/** The contents of one changeset. */
export interface Change {
  readonly type: 'major' | 'minor' | 'patch';
  /** Names of the affected packages, without their scope. */
  readonly packages: readonly string[];
  readonly summary: string;
}

export interface Release {
  readonly version: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly changes: readonly Change[];
}

/** The sections of the changelog, in order. */
const SECTIONS = { major: 'Changed', minor: 'Added', patch: 'Fixed' } as const;

const UNRELEASED = '## Unreleased';

/**
 * Turns the unreleased changes of a changelog and changesets into a release. The section of unreleased changes is empty then.
 * @throws Error if the changelog has no such heading or already has the release, or if there is nothing to release.
 */
export function addRelease(changelog: string, { version, date, changes }: Release): string {
  if (changelog.includes(`\n## ${version} `)) throw new Error(`the changelog has ${version} already`);
  const [head, rest, ...more] = changelog.split(`${UNRELEASED}\n`);
  if (head === undefined || rest === undefined || more.length > 0)
    throw new Error(`the changelog needs one heading "${UNRELEASED}"`);
  const next = rest.search(/^## /m);
  const unreleased = next === -1 ? rest : rest.slice(0, next);
  const older = next === -1 ? '' : rest.slice(next);
  const body = Object.entries(SECTIONS).reduce(
    (text, [type, section]) =>
      addTo(
        text,
        section,
        changes.filter((change) => change.type === type),
      ),
    unreleased.trim(),
  );
  if (body === '') throw new Error('there is nothing to release: add a changeset with `npx changeset`');
  return `${head}${UNRELEASED}\n\n## ${version} (${date})\n\n${body}\n${older && `\n${older}`}`;
}

function addTo(text: string, section: string, changes: readonly Change[]): string {
  if (changes.length === 0) return text;
  const items = changes.map(toItem).join('\n');
  const heading = `### ${section}\n`;
  const start = text.indexOf(heading);
  if (start === -1) return `${text}\n\n${heading}\n${items}`.trim();
  const after = text.slice(start + heading.length);
  const length = after.search(/^### /m);
  const end = length === -1 ? text.length : start + heading.length + length;
  return `${text.slice(0, end).trimEnd()}\n${items}\n\n${text.slice(end)}`.trim();
}

function toItem({ packages, summary }: Change): string {
  const text = summary.trim().replaceAll(/\n(?=.)/g, '\n  ');
  return `- ${packages.map((name) => `\`${name}\``).join(', ')}: ${text}`;
}
