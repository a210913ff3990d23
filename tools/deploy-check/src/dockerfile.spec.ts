import { describe, expect, it } from 'vitest';
import { readText } from './repository.js';
import { readDockerfile } from './dockerfile.js';

const stages = readDockerfile(readText('Dockerfile'));
const images = stages.filter(({ command }) => command !== null);

describe('the Dockerfile', () => {
  it('runs the build of the repository in its first stage', () => {
    expect(stages[0]).toMatchObject({
      name: 'build',
      steps: [
        { kind: 'copy', from: null, source: '.', target: '.' },
        { kind: 'run', command: 'npm ci && npm run build' },
      ],
    });
  });

  it('makes three images', () => {
    expect(images.map(({ name }) => name)).toEqual(['backend', 'worker', 'migrate']);
  });

  it.each(images)(
    '$name runs without rights, in production mode, on a base with a version and a digest',
    (image) => {
      expect(image.user).toBe('1000:1000');
      expect(image.env).toEqual({ NODE_ENV: 'production' });
      expect(stages.find(({ name }) => name === image.base)?.base).toMatch(
        /^node:\d+-\w+-slim@sha256:[\da-f]{64}$/,
      );
      expect(image.steps.every(({ kind }) => kind === 'copy')).toBe(true);
    },
  );

  it.each(images.filter(({ port }) => port !== null))('$name has a health check at its port', (image) => {
    expect(image.healthcheck).toContain(`http://127.0.0.1:${image.port}/health/live`);
  });
});
