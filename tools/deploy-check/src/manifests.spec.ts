import 'reflect-metadata';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IService } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { ClusterController } from '../../../apps/cms-backend/src/cluster/cluster.controller.js';
import { capacitySchema } from '../../../apps/cms-backend/src/cluster/cluster.schema.js';
import { HealthController } from '../../../apps/cms-backend/src/health/health.controller.js';
import {
  environmentSchema,
  SECRET_VARIABLES,
} from '../../../apps/cms-backend/src/config/environment.schema.js';
import { DRAIN_TIMEOUT } from '../../../apps/cms-backend/src/http/draining-adapter.js';
import { readConfig } from '../../../apps/cms-backend/src/config/read-config.js';
import { HealthController as WorkerHealthController } from '../../../apps/detector-worker/src/reports/health.controller.js';
import { environmentSchema as workerEnvironment } from '../../../apps/detector-worker/src/read-environment.js';
import { resolveOptions } from '../../../libs/master-election/src/shared/resolve-options.js';
import { readDockerfile } from './dockerfile.js';
import { readText } from './repository.js';
import {
  type Given,
  type Manifest,
  readKustomization,
  type Workload,
  workloadsOf,
} from './read-kustomization.js';

const { manifests, configMaps, images, unused } = readKustomization('example');
const workloads = workloadsOf(manifests);
const [backend, worker, migrate] = ['cms-backend', 'detector-worker', 'detector-cluster-migrate'].map(
  (name) => workloads.find(({ metadata }) => metadata.name === name)!,
) as [Workload, Workload, Workload];
const secret = manifests.find(({ kind }) => kind === 'Secret') as Manifest & {
  readonly stringData: Readonly<Record<string, string>>;
};
const ofKind = <Kind extends { kind: string }>(kind: Kind['kind']) =>
  manifests.filter((manifest) => manifest.kind === kind) as unknown as Given<Kind>[];
const podLabels = workloads.map(({ spec }) => spec.template.metadata.labels);
const podOf = ({ spec }: Workload) => spec.template.spec;
const containerOf = (workload: Workload) => podOf(workload).containers[0]!;

type Labels = Readonly<Record<string, string>>;

const selects = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** Paths that a controller answers. */
function routesOf(controller: { readonly prototype: object }): string[] {
  const base = Reflect.getMetadata('path', controller) as string;
  return Object.getOwnPropertyNames(controller.prototype)
    .map((name) => (controller.prototype as Record<string, object>)[name]!)
    .filter((handler) => Reflect.hasMetadata('path', handler))
    .map((handler) => `/${base}/${Reflect.getMetadata('path', handler) as string}`);
}

describe('the workloads', () => {
  it.each(workloads)('$metadata.name selects its own pods', ({ spec }) => {
    const { labels } = spec.template.metadata;
    if (spec.selector !== undefined) expect(spec.selector.matchLabels).toEqual(labels);
    for (const { labelSelector } of spec.template.spec.topologySpreadConstraints ?? [])
      expect(labelSelector.matchLabels).toEqual(labels);
  });

  it.each(workloads)('$metadata.name has only the rights that it needs', (workload) => {
    expect(podOf(workload).automountServiceAccountToken).toBe(false);
    expect(podOf(workload).securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(containerOf(workload).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('run the images of the Dockerfile, at its ports, and a version is given to each', () => {
    const built = readDockerfile(readText('Dockerfile')).filter(({ command }) => command !== null);
    expect(workloads.map((workload) => containerOf(workload).image).sort()).toEqual(
      built.map(({ name }) => `detector-cluster/${name}`).sort(),
    );
    expect([...images].sort()).toEqual(built.map(({ name }) => `detector-cluster/${name}`).sort());
    for (const workload of workloads) {
      const { image, ports = [] } = containerOf(workload);
      const { port } = built.find(({ name }) => image.endsWith(`/${name}`))!;
      expect(ports.map(({ containerPort }) => containerPort)).toEqual(port === null ? [] : [port]);
    }
  });

  it.each([
    ['backend', backend, HealthController],
    ['worker', worker, WorkerHealthController],
  ])('the probes of the %s ask for what it answers, at a port that it has', (_, workload, controller) => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = containerOf(workload);
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
      expect(routesOf(controller)).toContain(probe!.httpGet.path);
      expect(ports!.map(({ name }) => name)).toContain(probe!.httpGet.port);
    }
    // A probe that checks Redis or the database would restart all processes if they are unavailable.
    expect(livenessProbe!.httpGet.path).toBe('/health/live');
  });

  it('a backend has a readiness probe, and time to leave, to hand over, to answer and to end', () => {
    const { readinessProbe, lifecycle } = containerOf(backend);
    expect(readinessProbe!.httpGet.path).toBe('/health/ready');
    const [command, seconds] = lifecycle!.preStop.exec.command;
    expect(command).toBe('sleep');
    const { handoverTimeout } = resolveOptions({ redis: 'redis://localhost' });
    const readOn = 2_000;
    expect(podOf(backend).terminationGracePeriodSeconds! * 1_000).toBeGreaterThanOrEqual(
      Number(seconds) * 1_000 + 2 * (handoverTimeout + readOn) + DRAIN_TIMEOUT,
    );
  });
});

describe('the environment', () => {
  const config = configMaps.get('detector-cluster')!;
  const variables = containerOf(backend).env!;

  it('of the backend holds variables that it reads, each once', () => {
    const names = [...Object.keys(config), ...variables.map(({ name }) => name)];
    const known = [
      ...Object.keys(environmentSchema.shape),
      ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
    ];
    expect(known).toEqual(expect.arrayContaining(names));
    expect(new Set(names.map((name) => name.replace(/_FILE$/, ''))).size).toBe(names.length);
    expect(containerOf(backend).envFrom).toEqual([{ configMapRef: { name: 'detector-cluster' } }]);
  });

  it('names files that are mounted from keys that the secret has', () => {
    const [volume] = podOf(backend).volumes!;
    const [mount] = containerOf(backend).volumeMounts!;
    expect(volume).toMatchObject({ name: mount!.name, secret: { secretName: secret.metadata.name } });
    const files = variables.filter(({ name }) => name.endsWith('_FILE')).map(({ value }) => value!);
    expect(files.sort()).toEqual(
      Object.keys(secret.stringData)
        .map((key) => `${mount!.mountPath}/${key}`)
        .sort(),
    );
    for (const { valueFrom } of containerOf(migrate).env!)
      expect(secret).toMatchObject({
        metadata: { name: valueFrom!.secretKeyRef!.name },
        stringData: { [valueFrom!.secretKeyRef!.key]: expect.any(String) },
      });
  });

  it('starts the backend once the placeholders are replaced, and names every worker by its stable name', () => {
    const given = Object.fromEntries(
      variables
        .filter(({ name }) => name.endsWith('_FILE'))
        .map(({ name, value }) => [name.replace(/_FILE$/, ''), secret.stringData[value!.split('/').at(-1)!]]),
    );
    const own = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value?.replaceAll('replace-this', 'own-value')]),
    );
    expect(() => readConfig({ ...config, ...given })).toThrow('API_KEY: holds "replace-this" of the example');
    const { cluster } = readConfig({ ...config, ...own, IDENTIFIER: 'cms-backend-7d9c-x2x9' });
    const { replicas, serviceName } = worker.spec;
    const port = containerOf(worker).ports![0]!.containerPort;
    expect(cluster.workers).toEqual(
      Array.from({ length: replicas! }, (_, i) => ({
        url: `ws://${worker.metadata.name}-${i}.${serviceName}:${port}`,
      })),
    );
  });

  it('of the worker holds variables that it reads', () => {
    const names = containerOf(worker).env!.map(({ name }) => name);
    expect(Object.keys(workerEnvironment.shape)).toEqual(expect.arrayContaining(names));
  });
});

describe('services, budgets and policies', () => {
  it.each(ofKind<IService>('Service'))(
    'the Service $metadata.name leads to a port of its pods',
    ({ spec, metadata }) => {
      const found = workloads.filter(({ spec: each }) =>
        selects(spec.selector, each.template.metadata.labels),
      );
      expect(found).toHaveLength(1);
      const names = containerOf(found[0]!).ports!.map(({ name }) => name);
      for (const { targetPort } of spec.ports) expect(names).toContain(targetPort);
      if (found[0] === worker) {
        expect(metadata.name).toBe(worker.spec.serviceName);
        expect(spec.clusterIP).toBe('None');
      }
    },
  );

  it('a drain of a node leaves two of three backends', () => {
    const [budget] = ofKind<IPodDisruptionBudget>('PodDisruptionBudget');
    expect(selects(budget!.spec.selector.matchLabels, backend.spec.template.metadata.labels)).toBe(true);
    expect(budget!.spec.minAvailable).toBe(2);
    expect(backend.spec.replicas).toBeGreaterThan(2);
  });

  const policies = ofKind<INetworkPolicy>('NetworkPolicy');
  /** Ports that pods with `labels` may use to or from pods with `peer`. */
  const ports = (labels: Labels, direction: 'ingress' | 'egress', peer: Labels) =>
    policies
      .filter(({ spec }) => selects(spec.podSelector.matchLabels, labels))
      .flatMap(({ spec: { ingress, egress } }) =>
        direction === 'ingress'
          ? (ingress ?? []).map(({ from, ports: each }) => ({ peers: from, ports: each }))
          : (egress ?? []).map(({ to, ports: each }) => ({ peers: to, ports: each })),
      )
      .filter(({ peers = [] }) =>
        peers.some(
          ({ podSelector, namespaceSelector }) =>
            namespaceSelector === undefined &&
            podSelector !== undefined &&
            selects(podSelector.matchLabels, peer),
        ),
      )
      .flatMap((rule) => rule.ports.map(({ port }) => port));

  it('every connection is denied unless a policy allows it', () => {
    const denied = policies.filter(({ spec }) => spec.ingress === undefined && spec.egress === undefined);
    expect(denied).toHaveLength(1);
    expect(denied[0]!.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    for (const labels of podLabels)
      expect(selects(denied[0]!.spec.podSelector.matchLabels, labels)).toBe(true);
  });

  it('both sides allow backends to reach workers, Redis and the database', () => {
    const [backends, workers, job] = [backend, worker, migrate].map(
      ({ spec }) => spec.template.metadata.labels,
    ) as [Labels, Labels, Labels];
    expect(ports(backends, 'egress', workers)).toEqual(['ws']);
    expect(ports(workers, 'ingress', backends)).toEqual(['ws']);
    expect(ports(backends, 'egress', { 'app.kubernetes.io/name': 'redis' })).toEqual([6379]);
    expect(ports(backends, 'egress', { 'app.kubernetes.io/name': 'postgresql' })).toEqual([5432]);
    expect(ports(job, 'egress', { 'app.kubernetes.io/name': 'postgresql' })).toEqual([5432]);
    expect(ports(workers, 'egress', { 'app.kubernetes.io/name': 'redis' })).toEqual([]);
  });
});

describe('the folders', () => {
  it('hold only used files', () => {
    for (const folder of ['base', 'example', 'prometheus-operator', 'keda'])
      expect([folder, readKustomization(folder).unused]).toEqual([folder, []]);
    expect(unused).toEqual([]);
  });

  it('hold a monitor that finds the service, its port and the key', () => {
    const [monitor] = readKustomization('prometheus-operator').manifests as (Manifest & {
      readonly spec: {
        readonly selector: { readonly matchLabels: Labels };
        readonly endpoints: readonly {
          readonly port: string;
          readonly path: string;
          readonly authorization: { readonly credentials: { readonly name: string; readonly key: string } };
        }[];
      };
    })[];
    const found = ofKind<IService>('Service').filter(({ metadata }) =>
      selects(monitor!.spec.selector.matchLabels, metadata.labels!),
    );
    expect(found.map(({ metadata }) => metadata.name)).toEqual(['cms-backend']);
    for (const { port, path, authorization } of monitor!.spec.endpoints) {
      expect(found[0]!.spec.ports.map(({ name }) => name)).toContain(port);
      expect(path).toBe('/metrics');
      expect(secret.metadata.name).toBe(authorization.credentials.name);
      expect(Object.keys(secret.stringData)).toContain(authorization.credentials.key);
    }
  });

  it('hold a scaler of the workers that finds them, the number in the answer of the service, and the key', () => {
    const [scaler, authentication] = readKustomization('keda').manifests as [
      Manifest & {
        readonly spec: {
          readonly scaleTargetRef: { readonly kind: string; readonly name: string };
          readonly maxReplicaCount: number;
          readonly triggers: readonly [
            {
              readonly type: string;
              readonly metadata: Readonly<Record<string, string>>;
              readonly authenticationRef: { readonly name: string };
            },
          ];
        };
      },
      Manifest & { readonly spec: { readonly secretTargetRef: readonly [Readonly<Record<string, string>>] } },
    ];
    const { maxReplicaCount, scaleTargetRef, triggers } = scaler.spec;
    expect(scaleTargetRef).toMatchObject({ kind: worker.kind, name: worker.metadata.name });
    const { DETECTOR_WORKERS } = configMaps.get('detector-cluster')!;
    expect(DETECTOR_WORKERS!.split(',')).toHaveLength(maxReplicaCount);
    const [{ type, metadata, authenticationRef }] = triggers;
    const { url, valueLocation, ...rest } = metadata;
    expect({ type, ...rest }).toEqual({
      type: 'metrics-api',
      targetValue: '1',
      authMode: 'apiKey',
      method: 'header',
      keyParamName: 'X-API-Key',
    });
    const { hostname, pathname, port } = new URL(url!);
    const service = ofKind<IService>('Service').find(
      ({ metadata: of }) => of.name === hostname.split('.')[0],
    )!;
    expect(service.spec.ports.map((one) => one.port)).toContain(Number(port || 80));
    const read = Object.getOwnPropertyDescriptor(ClusterController.prototype, 'capacity')!.value as object;
    expect(pathname).toBe(`/api/cluster/${Reflect.getMetadata('path', read) as string}`);
    expect(capacitySchema.shape).toHaveProperty(valueLocation!);
    const [{ parameter, name, key }] = authentication.spec.secretTargetRef;
    expect([parameter, name, authenticationRef.name]).toEqual([
      'apiKey',
      secret.metadata.name,
      authentication.metadata.name,
    ]);
    expect(Object.keys(secret.stringData)).toContain(key);
  });
});
