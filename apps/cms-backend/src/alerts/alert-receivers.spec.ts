import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { advance, readAlertRecord } from './alert-record.js';
import { labelsOfAlert, receiversOf } from './alert-receivers.js';
import { factsOf, oneAway } from './alerts.fixture.js';
import { MASTER_ALERTS } from './conditions.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;
const LABELS = { job: 'cms', cluster: 'a' };
const secret = Buffer.alloc(32, 7);
const config = {
  alertmanager: 'http://alerts:9093/',
  webhook: { url: 'http://hook/path', secret },
  labels: LABELS,
};
const receivers = () => receiversOf(config, 'default');
const at = (minute: number) => NOW + minute * MINUTE;
const step = (record: ReturnType<typeof readAlertRecord>, facts: typeof oneAway, minute: number) =>
  advance(record, facts, ['alertmanager', 'webhook'], at(minute));

const pending = step(readAlertRecord(null), oneAway, 0);
const firing = step(pending, oneAway, 5);
const over = step(firing, factsOf(), 6);
const SUMMARY = '1 worker is unavailable.';

describe('labelsOfAlert', () => {
  /** The labels of each alert in the tests of the rules, which Prometheus' own promtool runs. */
  const tests = readFileSync(
    new URL('../../../../deploy/prometheus/alerts.test.yml', import.meta.url),
    'utf8',
  );
  const ofRules = Array.from(tests.matchAll(/'ALERTS\{([^}]*)\}'/g), ([, text]) =>
    Object.fromEntries(
      Array.from(text!.matchAll(/(\w+)="([^"]*)"/g), ([, label, value]) => [label!, value!]),
    ),
  );

  it.each(MASTER_ALERTS)('gives %s the labels that Prometheus gives it', (name) => {
    const { alertstate: _, ...labels } = ofRules.find(({ alertname }) => alertname === name) ?? {};
    expect(labelsOfAlert(name, { job: 'cms', namespace: 'one', cluster: 'a' }, 'default')).toEqual(labels);
  });
});

describe('Alertmanager', () => {
  it('hears of what fires and of what is over, but not of what is pending', () => {
    const [alertmanager] = receivers();
    expect(alertmanager!.next(pending, at(0))).toBeNull();
    const message = alertmanager!.next(firing, at(5))!;
    expect(message.url).toBe('http://alerts:9093/api/v2/alerts');
    const alert = {
      labels: { ...LABELS, alertname: 'DetectorClusterWorkersAway', severity: 'warning' },
      annotations: { summary: SUMMARY, runbook_url: 'docs/operations.md#detectorclusterworkersaway' },
      startsAt: '2026-01-01T12:00:00.000Z',
    };
    expect(JSON.parse(message.body)).toEqual([{ ...alert, endsAt: '2026-01-01T12:09:00.000Z' }]);
    expect(JSON.parse(alertmanager!.next(over, at(6))!.body)).toEqual([
      { ...alert, endsAt: '2026-01-01T12:06:00.000Z' },
    ]);
  });

  it('hears of a change at once, and of the same every minute', () => {
    const [alertmanager] = receivers();
    alertmanager!.next(firing, at(5))!.taken(firing);
    expect(alertmanager!.next(firing, at(6) - 1)).toBeNull();
    expect(alertmanager!.next(firing, at(6))).not.toBeNull();
    expect(alertmanager!.next(over, at(6) - 1)).not.toBeNull();
  });
});

describe('the webhook', () => {
  const [, webhook] = receivers();

  it('gets each notice, signed with its id and the time', () => {
    const { url, body, headers } = webhook!.next(firing, at(5) + 1_999)!;
    const id = `DetectorClusterWorkersAway-${NOW}-firing`;
    const timestamp = String(at(5) / 1_000 + 1);
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    expect(url).toBe(config.webhook.url);
    expect(headers).toEqual({
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    });
    expect(JSON.parse(body)).toEqual({
      id,
      status: 'firing',
      alert: 'DetectorClusterWorkersAway',
      severity: 'warning',
      summary: SUMMARY,
      labels: { ...LABELS, alertname: 'DetectorClusterWorkersAway', severity: 'warning' },
      startsAt: '2026-01-01T12:00:00.000Z',
      endsAt: null,
    });
  });

  it('gets them in their order, and none again that it has taken', () => {
    const first = webhook!.next(over, at(6))!;
    const rest = first.taken(over);
    const second = webhook!.next(rest, at(6))!;
    expect(JSON.parse(second.body)).toMatchObject({ status: 'resolved', endsAt: '2026-01-01T12:06:00.000Z' });
    expect(webhook!.next(second.taken(rest), at(6))).toBeNull();
  });
});
