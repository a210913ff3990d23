import { createHmac } from 'node:crypto';
import type { AppConfig } from '../config/app-config.js';
import { type AlertRecord, idOf, type Notice, noticeOf, type ReceiverName } from './alert-record.js';
import { PROMETHEUS_RULES } from './prometheus-rules.generated.js';

/** How often Alertmanager hears of the same alerts, and after how long without that it considers them over. Milliseconds. */
const RESEND = 60_000;
const EXPIRY = 4 * RESEND;

/** One request to a receiver. */
export interface AlertMessage {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The record once the receiver has taken it. */
  readonly taken: (record: AlertRecord) => AlertRecord;
}

type AlertsConfig = AppConfig['alerts'];

export interface AlertReceiver {
  readonly name: ReceiverName;
  /** What has to be sent now; null: nothing. @param now milliseconds since 1970 */
  next(record: AlertRecord, now: number): AlertMessage | null;
}

/** The receivers that are configured. @param election the name of the election, which some rules have as a label */
export function receiversOf(
  { alertmanager, webhook, labels }: AlertsConfig,
  election: string,
): readonly AlertReceiver[] {
  const labelsOf = (name: Notice['name']) => labelsOfAlert(name, labels, election);
  return [
    ...(alertmanager === null ? [] : [new Alertmanager(alertmanager, labelsOf)]),
    ...(webhook === null ? [] : [new Webhook(webhook, labelsOf)]),
  ];
}

/** The labels that Prometheus gives to the same alert, so that Alertmanager takes both for one. */
export function labelsOfAlert(
  name: Notice['name'],
  labels: AlertsConfig['labels'],
  election: string,
): Readonly<Record<string, string>> {
  const { severity, election: named } = PROMETHEUS_RULES[name];
  return { ...labels, alertname: name, severity, ...(named && { election }) };
}

type LabelsOf = (name: Notice['name']) => Readonly<Record<string, string>>;

/** Alertmanager gets everything that fires or is over, at once after a change and then again and again. */
class Alertmanager implements AlertReceiver {
  readonly name = 'alertmanager';
  private known = '';
  private sentAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly url: string,
    private readonly labelsOf: LabelsOf,
  ) {}

  next({ held, ended }: AlertRecord, now: number): AlertMessage | null {
    const all = [...held.filter(({ fires }) => fires).map(noticeOf), ...ended];
    const ids = all.map(idOf).join(' ');
    if (all.length === 0 || (ids === this.known && now - this.sentAt < RESEND)) return null;
    const alerts = all.map(({ name, summary, since, endedAt }) => ({
      labels: this.labelsOf(name),
      annotations: { summary, runbook_url: `docs/operations.md#${name.toLowerCase()}` },
      startsAt: isoOf(since),
      endsAt: isoOf(endedAt ?? now + EXPIRY),
    }));
    return {
      url: `${this.url.replace(/\/+$/, '')}/api/v2/alerts`,
      body: JSON.stringify(alerts),
      headers: {},
      taken: (record) => {
        this.known = ids;
        this.sentAt = now;
        return record;
      },
    };
  }
}

/** The webhook gets each notice once it fires, and once it is over, one after the other, signed as Standard Webhooks demand. */
class Webhook implements AlertReceiver {
  readonly name = 'webhook';

  constructor(
    private readonly to: NonNullable<AlertsConfig['webhook']>,
    private readonly labelsOf: LabelsOf,
  ) {}

  next({ waiting: [first] }: AlertRecord, now: number): AlertMessage | null {
    if (first === undefined) return null;
    const { name, summary, since, endedAt } = first;
    const id = idOf(first);
    const labels = this.labelsOf(name);
    const body = JSON.stringify({
      id,
      status: endedAt === null ? 'firing' : 'resolved',
      alert: name,
      severity: labels.severity,
      summary,
      labels,
      startsAt: isoOf(since),
      endsAt: endedAt === null ? null : isoOf(endedAt),
    });
    const timestamp = String(Math.floor(now / 1_000));
    const signature = createHmac('sha256', this.to.secret).update(`${id}.${timestamp}.${body}`);
    return {
      url: this.to.url,
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature.digest('base64')}`,
      },
      taken: (record) => ({ ...record, waiting: record.waiting.filter((notice) => idOf(notice) !== id) }),
    };
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
