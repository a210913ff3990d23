import { now } from '../time/clock.js';
import { formatAge, formatInstant } from '../time/instant.js';
import { Badge } from '../ui/badge.js';
import { type Alert, ALERT_NAMES, runbookHref } from './alert-rules.js';
import './alerts-section.css';
import { alerts } from './alerts.js';

/** The alerts that fire. */
export function AlertsSection() {
  return (
    <section class="section" aria-labelledby="alerts-title">
      <div class="section-header">
        <h2 id="alerts-title">
          Alerts{' '}
          <span class="section-note">
            {ALERT_NAMES.length} of the rules for Prometheus, evaluated by this page
          </span>
        </h2>
      </div>
      <div class="panel" role="status">
        {alerts.value.length === 0 ? (
          <p class="alerts-none">
            <Badge tone="ok">No alerts</Badge>
          </p>
        ) : (
          <ul class="alerts">
            {alerts.value.map((alert) => (
              <AlertRow key={alert.name} alert={alert} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function AlertRow({ alert: { name, severity, summary, since, href } }: { readonly alert: Alert }) {
  return (
    <li>
      <span>
        <Badge tone={severity === 'critical' ? 'bad' : 'warn'}>
          {severity === 'critical' ? 'Critical' : 'Warning'}
        </Badge>
      </span>
      <a class="alert-summary" href={href}>
        {summary}
      </a>
      <a
        class="muted mono alert-name"
        href={runbookHref(name)}
        target="_blank"
        rel="noopener"
        title="What to do: the runbook, in a new window"
      >
        {name}
      </a>
      {/* The age changes every second, which is no news. */}
      <time
        class="muted alert-since"
        aria-live="off"
        dateTime={new Date(since).toISOString()}
        title={formatInstant(since)}
      >
        for {formatAge(now.value - since)}
      </time>
    </li>
  );
}

/** How many alerts fire, as a link to them. */
export function AlertCount() {
  const all = alerts.value;
  if (all.length === 0) return null;
  const critical = all.some(({ severity }) => severity === 'critical');
  return (
    <a class="alert-count" href="#/overview">
      <Badge tone={critical ? 'bad' : 'warn'}>
        {all.length}
        <span class="alert-count-noun">{all.length === 1 ? ' alert' : ' alerts'}</span>
      </Badge>
    </a>
  );
}
