import { describe, expect, it } from 'vitest';
import { addRelease, type Release } from './add-release.js';

const changelog = `# Changelog

All notable changes.

## Unreleased

### Added

- \`election\`: etcd.

### Fixed

- \`elector\`: the exit code.

## 0.1.0 (2026-01-01)

### Added

- Everything.
`;

const release = (more: Partial<Release> = {}): Release => ({
  version: '0.2.0',
  date: '2026-02-03',
  changes: [],
  ...more,
});

describe('addRelease', () => {
  it('releases the unreleased changes, with the changesets in their sections', () => {
    const changes = [
      { type: 'patch', packages: ['leaderfeed'], summary: 'No timer is left.\n' },
      { type: 'minor', packages: ['election', 'elector'], summary: 'A backend\nfor Consul.' },
      { type: 'major', packages: ['election'], summary: '`name` is gone.' },
    ] as const;
    expect(addRelease(changelog, release({ changes }))).toBe(`# Changelog

All notable changes.

## Unreleased

## 0.2.0 (2026-02-03)

### Added

- \`election\`: etcd.
- \`election\`, \`elector\`: A backend
  for Consul.

### Fixed

- \`elector\`: the exit code.
- \`leaderfeed\`: No timer is left.

### Changed

- \`election\`: \`name\` is gone.

## 0.1.0 (2026-01-01)

### Added

- Everything.
`);
  });

  it('releases changesets alone, and repeatedly', () => {
    const changes = [{ type: 'patch', packages: ['election'], summary: 'Faster.' }] as const;
    const empty = '# Changelog\n\n## Unreleased\n';
    const once = addRelease(empty, release({ changes }));
    expect(once).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n### Fixed\n\n- `election`: Faster.\n',
    );
    expect(addRelease(once, release({ version: '0.2.1', changes }))).toMatch(
      /## Unreleased\n\n## 0\.2\.1 .*\n\n### Fixed\n\n- .*\n\n## 0\.2\.0 /,
    );
  });

  it.each([
    ['nothing', '# Changelog\n\n## Unreleased\n', /nothing to release/],
    ['without a heading', '# Changelog\n', /needs one heading "## Unreleased"/],
    ['twice', changelog.replace('0.1.0', '0.2.0'), /has 0\.2\.0 already/],
  ])('refuses to release %s', (_, text, message) => {
    expect(() => addRelease(text, release())).toThrow(message);
  });
});
