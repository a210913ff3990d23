import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { environmentSchema } from '../../../apps/cms-backend/src/config/environment.schema.js';
import { readConfig } from '../../../apps/cms-backend/src/config/read-config.js';
import { environmentSchema as workerEnvironment } from '../../../apps/detector-worker/src/read-environment.js';
import { readDockerfile } from './dockerfile.js';
import { pathOf, readText, readYaml } from './repository.js';

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly target: string };
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: unknown;
}

const { services, volumes } = readYaml<{
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}>('docker-compose.yml');
const all = Object.entries(services).map(([name, service]) => ({ name, ...service }));
const images = readDockerfile(readText('Dockerfile')).filter(({ command }) => command !== null);
const builtAs = (target: string) => all.filter(({ build }) => build?.target === target);

/** The defaults that Compose inserts for unset variables. */
const withDefaults = (value: string) => value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

describe('the composition of containers', () => {
  it('builds every image of the Dockerfile, three backends and three workers', () => {
    expect(builtAs('backend').map(({ name }) => name)).toEqual(['backend-1', 'backend-2', 'backend-3']);
    expect(builtAs('worker').map(({ name }) => name)).toEqual(['worker-1', 'worker-2', 'worker-3']);
    const targets = new Set(all.flatMap(({ build }) => (build ? [build.target] : [])));
    expect([...targets].sort()).toEqual(images.map(({ name }) => name).sort());
  });

  it.each(all.filter(({ image }) => image !== undefined))(
    '$name: $image has a version and a digest',
    ({ image }) => {
      expect(image).toMatch(/:v?\d+(?:\.\d+)*@sha256:[\da-f]{64}$/);
    },
  );

  it.each(builtAs('backend'))(
    '$name starts with its environment and finds the workers',
    ({ environment }) => {
      expect(Object.keys(environmentSchema.shape)).toEqual(expect.arrayContaining(Object.keys(environment!)));
      const given = Object.fromEntries(
        Object.entries(environment!).map(([name, value]) => [name, withDefaults(value)]),
      );
      const port = images.find(({ name }) => name === 'worker')!.port!;
      expect(readConfig(given).cluster.workers).toEqual(
        builtAs('worker').map(({ name }) => ({ url: `ws://${name}:${port}` })),
      );
    },
  );

  it.each(builtAs('worker'))('$name reads its environment', ({ environment }) => {
    expect(Object.keys(workerEnvironment.shape)).toEqual(expect.arrayContaining(Object.keys(environment!)));
  });

  it.each(all)(
    '$name refers only to existing files and services',
    ({ name, volumes: mounts = [], depends_on: needs = {} }) => {
      for (const [source] of mounts.map((mount) => mount.split(':')))
        expect([
          source,
          source!.startsWith('.') ? existsSync(pathOf(source!)) : Object.hasOwn(volumes, source!),
        ]).toEqual([source, true]);
      for (const [other, { condition }] of Object.entries(needs)) {
        expect([name, other, other in services]).toEqual([name, other, true]);
        if (condition === 'service_healthy') expect(services[other]).toHaveProperty('healthcheck');
      }
    },
  );

  it('opens each port once, and only to this machine', () => {
    const ports = all.flatMap(({ ports: each = [] }) => each);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    const outside = ports.map((port) => port.split(':')[1]);
    expect(new Set(outside).size).toBe(outside.length);
  });

  it('starts neither Prometheus nor other stores by default', () => {
    const usual = all.filter(({ profiles }) => profiles === undefined).map(({ name }) => name);
    const needed = [
      'redis',
      'postgres',
      'migrate',
      ...[1, 2, 3].flatMap((n) => [`backend-${n}`, `worker-${n}`]),
    ];
    expect(usual.sort()).toEqual(needed.sort());
  });
});

describe('Prometheus and Grafana beside the containers', () => {
  it('Prometheus scrapes every backend at its port', () => {
    const { scrape_configs: jobs } = readYaml<{
      scrape_configs: { static_configs: { targets: string[] }[] }[];
    }>('deploy/prometheus/prometheus.yml');
    const port = images.find(({ name }) => name === 'backend')!.port!;
    expect(jobs.flatMap((job) => job.static_configs.flatMap(({ targets }) => targets))).toEqual(
      builtAs('backend').map(({ name }) => `${name}:${port}`),
    );
  });

  it('Grafana finds Prometheus and the dashboard', () => {
    const folder = 'deploy/grafana/provisioning';
    const { datasources } = readYaml<{ datasources: { url: string }[] }>(
      folder,
      'datasources/prometheus.yml',
    );
    expect(datasources.map(({ url }) => url)).toEqual(['http://prometheus:9090']);
    const { providers } = readYaml<{ providers: { options: { path: string } }[] }>(
      folder,
      'dashboards/detector-cluster.yml',
    );
    const mounts = services.grafana!.volumes!.map((mount) => mount.split(':'));
    const dashboard = mounts.find(([source]) => source!.endsWith('detector-cluster.json'))!;
    expect(dashboard[1]).toBe(`${providers[0]!.options.path}/detector-cluster.json`);
    expect(services.grafana!.environment!.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH).toBe(dashboard[1]);
  });
});
