import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProgramUnavailableError, startAlertmanager } from '@detector-cluster/dev-services';
import { type LocalCluster, waitFor } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { allActive, masterOf, TIMEOUT, useClusters } from './support/cluster.js';

vi.setConfig({ testTimeout: 6 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

/** Alerts fire a minute after their conditions began. */
const LIMIT = 3 * TIMEOUT;

const FIRING = 'DetectorClusterNoWorkerReady';
const secret = randomBytes(32);

/** Part of the URL of the webhook, as those of chats have one. */
const TOKEN = 'hook-t0ken';

interface Notice {
  readonly id: string;
  readonly status: string;
  readonly alert: string;
  readonly endsAt: string | null;
}

/** A receiver of the webhook that answers as its test says, and checks each signature. */
class Receiver {
  mode: 'takes' | 'fails' | 'hangs' = 'takes';
  readonly taken: Notice[] = [];
  readonly refused: Notice[] = [];
  readonly badSignatures: string[] = [];
  private server: Server | undefined;

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        if (!isSigned(request.headers, body)) this.badSignatures.push(body);
        const notice = JSON.parse(body) as Notice;
        (this.mode === 'takes' ? this.taken : this.refused).push(notice);
        if (this.mode !== 'hangs') response.writeHead(this.mode === 'takes' ? 200 : 500).end();
      });
    });
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/alerts/${TOKEN}`;
  }

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  ids(notices: readonly Notice[]): string[] {
    return [...new Set(notices.filter(({ alert }) => alert === FIRING).map(({ id }) => id))];
  }
}

function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = createHmac('sha256', secret).update(signed).digest('base64');
  return headers['webhook-signature'] === `v1,${expected}`;
}

interface PostedAlert {
  readonly fingerprint: string;
  readonly labels: Record<string, string>;
  readonly startsAt: string;
}

const until = <T>(what: string, condition: () => Promise<T | false> | T | false) =>
  waitFor(what, LIMIT, async () => condition());

/** It is started here, because without its program the tests are skipped. */
const server = await startAlertmanager().catch((error: unknown) => {
  if (process.env.CI || !(error instanceof ProgramUnavailableError)) throw error;
  console.warn(`Alerts are not sent to Alertmanager: ${error.message}`);
  return null;
});

(server === null ? describe.skip : describe)('alerts', () => {
  const startCluster = useClusters();
  const receiver = new Receiver();
  const alertmanager = server!;
  let redis: Redis | undefined;
  afterEach(async () => {
    receiver.stop();
    redis?.disconnect();
  });
  afterAll(() => alertmanager.stop());

  /** What Alertmanager considers to fire. */
  const active = async (): Promise<PostedAlert[]> => {
    const response = await fetch(`${alertmanager.url}/api/v2/alerts?active=true`);
    return ((await response.json()) as PostedAlert[]).filter(({ labels }) => labels.alertname === FIRING);
  };

  /** Kills the master, and sets back the beginning of the alerts that it leaves, so that the next one does not wait for them to fire. */
  const killMaster = async (cluster: LocalCluster): Promise<void> => {
    const master = await masterOf(cluster);
    await master.crash();
    cluster.backends.splice(cluster.backends.indexOf(master), 1);
    const key = `${cluster.keyPrefix}dashboard:alerts`;
    const text = (await redis!.get(key)) ?? '';
    await redis!.set(key, text.replace(/"since":(\d{5})\d{8}/g, '"since":$100000000'));
  };

  it('reach Alertmanager and the webhook over failovers, each once, and so does their end', async () => {
    const cluster = await startCluster({
      backends: 3,
      workers: 1,
      backendEnv: {
        ALERTMANAGER_URL: alertmanager.url,
        ALERT_LABELS: 'job=cms, cluster=test',
        ALERT_WEBHOOK_URL: await receiver.start(),
        ALERT_WEBHOOK_SECRET: `whsec_${secret.toString('base64')}`,
      },
    });
    const backends = [...cluster.backends];
    redis = new Redis(cluster.redis.url);
    await allActive(cluster);
    receiver.mode = 'fails';
    const [worker] = cluster.workers;
    await worker!.crash();
    await until('the alert to be pending', async () =>
      ((await redis!.get(`${cluster.keyPrefix}dashboard:alerts`)) ?? '').includes(FIRING),
    );

    await killMaster(cluster);
    await until('the next master to try the webhook', () => receiver.ids(receiver.refused).length > 0);
    const [first] = await until('Alertmanager to know', async () => {
      const found = await active();
      return found.length > 0 && found;
    });
    expect(first!.labels).toEqual({ alertname: FIRING, severity: 'critical', job: 'cms', cluster: 'test' });
    // Prometheus posts the same alert: both are one.
    await fetch(`${alertmanager.url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([
        { labels: { severity: 'critical', cluster: 'test', job: 'cms', alertname: FIRING } },
      ]),
    });
    expect((await active()).map(({ fingerprint }) => fingerprint)).toEqual([first!.fingerprint]);

    receiver.mode = 'hangs';
    const before = receiver.refused.length;
    await until('a request that hangs', () => receiver.refused.length > before);
    await killMaster(cluster);
    receiver.mode = 'takes';
    await until('the last master to be heard', () => receiver.ids(receiver.taken).length > 0);
    const [firing] = receiver.ids(receiver.taken);
    expect(receiver.ids(receiver.refused)).toEqual([firing]);
    expect((await active()).map(({ fingerprint }) => fingerprint)).toEqual([first!.fingerprint]);

    await worker!.start();
    await until('the end of the alert at the webhook', () => receiver.ids(receiver.taken).length > 1);
    expect(receiver.ids(receiver.taken)).toEqual([firing, firing!.replace('firing', 'resolved')]);
    await until('the end of the alert at Alertmanager', async () => (await active()).length === 0);
    expect(receiver.badSignatures).toEqual([]);
    const logs = (await Promise.all(backends.map((backend) => backend.log()))).join('\n');
    expect(logs).toContain('the webhook does not take alerts: it answered 500');
    for (const hidden of [TOKEN, secret.toString('base64')]) expect(logs).not.toContain(hidden);
  });
});
