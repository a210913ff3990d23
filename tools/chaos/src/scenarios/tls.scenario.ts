import {
  type Authority,
  createAuthority,
  type IssuedCertificate,
  tempDirectory,
} from '@detector-cluster/dev-services';
import type { AppProcess } from '@detector-cluster/local-cluster';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figures, ScenarioContext } from '../scenario.js';
import { deliverThrough, type Faulted } from '../support/deliver-through.js';
import { TlsFront } from '../support/tls-front.js';
import { pause, until } from '../support/until.js';

/** How long a certificate is valid that expires. Milliseconds. */
const VALID = { full: 10_000, short: 3_000 };
/** How long attempts to connect are counted. Milliseconds. */
const COUNTED = { full: 10_000, short: 3_000 };
/** Attempts to connect in a second, for each connection that there should be. */
const MAX_DIALS = 8;
/** A master waits up to 10 s before it dials a worker again. Milliseconds. A short run has other programs beside it. */
const MAX_BACK = { full: { redis: 5_000, worker: 15_000 }, short: { redis: 20_000, worker: 30_000 } };

const SERVERS = ['worker', 'redis'] as const;
type Secured = (typeof SERVERS)[number];

/** What is wrong with a certificate, and how health and `problem` say it. */
const PROBLEMS = { expired: /certificate has expired/, untrusted: /certificate is not trusted/ } as const;

interface Certificates {
  readonly trusted: Authority;
  readonly good: IssuedCertificate;
  /** Of an authority that the backends do not trust. */
  readonly untrusted: IssuedCertificate;
}

interface Round {
  /** From the replacement of the certificate until the server was used again. Milliseconds. */
  readonly backMs: number;
  /** While the certificate was refused, for each connection that there should be. */
  readonly dialsPerSecond: number;
}

/**
 * The certificate of a worker expires and is replaced, then it is one of another authority. After that the same happens to Redis. The
 * backends say what is wrong, and keep trying at the usual pace.
 */
export async function tlsScenario(context: ScenarioContext): Promise<Figures> {
  const length = context.short ? 'short' : 'full';
  const directory = await tempDirectory('authorities');
  const fronts = new Map<Secured, TlsFront>();
  try {
    const certificates = await createCertificates(directory);
    const { good, trusted } = certificates;
    return await deliverThrough(
      context,
      {
        backendEnv: { NODE_EXTRA_CA_CERTS: trusted.file },
        prepare: async ({ redis, links: [first, ...others] }) => {
          const ports = { worker: first!.port, redis: redis!.port };
          for (const server of SERVERS) fronts.set(server, await new TlsFront(ports[server], good).listen());
          const worker = `wss://127.0.0.1:${fronts.get('worker')!.port}`;
          return {
            REDIS_URL: `rediss://127.0.0.1:${fronts.get('redis')!.port}`,
            DETECTOR_WORKERS: [worker, ...others.map(({ url }) => url)].join(','),
          };
        },
      },
      async (faulted) => {
        const rounds: Record<string, Round> = {};
        const slow: string[] = [];
        const usual = new Map([...fronts].map(([server, { open }]) => [server, open]));
        for (const [server, front] of fronts)
          for (const problem of ['expired', 'untrusted'] as const) {
            const connections = usual.get(server)!;
            const round = await disturb(context, faulted, {
              server,
              front,
              connections,
              problem,
              certificates,
            });
            const name = `${server}-${problem}`;
            context.progress(`${name}: ${JSON.stringify(round)}`);
            rounds[name] = round;
            if (round.backMs > MAX_BACK[length][server]) slow.push(name);
          }
        return { rounds, slow };
      },
      ({ rounds, slow }) =>
        slow.length === 0 && Object.values(rounds).every(({ dialsPerSecond }) => dialsPerSecond <= MAX_DIALS),
    );
  } finally {
    for (const front of fronts.values()) front.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function createCertificates(directory: string): Promise<Certificates> {
  const authority = async (name: string) => {
    await mkdir(join(directory, name));
    return createAuthority(join(directory, name));
  };
  const trusted = await authority('trusted');
  const other = await authority('other');
  return { trusted, good: await trusted.issue('good'), untrusted: await other.issue('untrusted') };
}

interface Disturbance {
  readonly server: Secured;
  readonly front: TlsFront;
  /** That there should be. */
  readonly connections: number;
  readonly problem: keyof typeof PROBLEMS;
  readonly certificates: Certificates;
}

async function disturb(
  context: ScenarioContext,
  { stage, watch }: Faulted,
  { server, front, connections, problem, certificates }: Disturbance,
): Promise<Round> {
  const { signal, short } = context;
  const length = short ? 'short' : 'full';
  const { backends } = stage.cluster;
  if (problem === 'expired') {
    const end = new Date(Date.now() + VALID[length]);
    front.use(await certificates.trusted.issue('expires', { end }));
    front.cut();
    // A certificate is still valid in its last second.
    await until(signal, 'the end of the certificate', () => Date.now() > end.getTime() + 1_000);
  } else front.use(certificates.untrusted);
  const logged = await Promise.all(backends.map(async (backend) => (await backend.log()).length));
  front.cut();

  const says = PROBLEMS[problem];
  if (server === 'redis') {
    await until(signal, `${says} in every answer about health`, async () =>
      (await Promise.all(backends.map(healthOf))).every((text) => says.test(text)),
    );
    await until(signal, 'a line about the certificate in every log', async () => {
      const logs = await Promise.all(backends.map((backend) => backend.log()));
      return logs.every((log, i) => /certificate/.test(log.slice(logged[i])));
    });
  } else
    await until(signal, `${says} in the state of the worker`, async () => {
      const { workers } = await stage.cluster.state();
      return workers.some(({ problem: text }) => text !== null && says.test(text));
    });

  const { dials } = front;
  const from = performance.now();
  await pause(COUNTED[length], signal);
  const seconds = (performance.now() - from) / 1_000;
  const dialsPerSecond = Math.round((10 * (front.dials - dials)) / seconds / connections) / 10;

  const replaced = performance.now();
  front.use(certificates.good);
  await until(signal, 'one master', () => watch.master);
  await stage.allReady();
  await until(signal, 'health of every backend', async () =>
    (await Promise.all(backends.map(healthOf))).every((text) => text.includes('"status":"ok"')),
  );
  return { backMs: Math.round(performance.now() - replaced), dialsPerSecond };
}

async function healthOf({ url }: AppProcess): Promise<string> {
  return (await fetch(`${url}/health/ready`)).text();
}
