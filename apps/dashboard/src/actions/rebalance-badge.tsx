import { feed } from '../feed/feed.js';
import { routeHref } from '../shell/route.js';
import { now } from '../time/clock.js';
import { formatInstant, instantOf } from '../time/instant.js';
import { Badge } from '../ui/badge.js';
import { currentRebalance, rebalanceText } from './rebalance-progress.js';
import './rebalance.css';

/** Tells how far the last rebalance has come that an operator requested, and who it was. */
export function RebalanceBadge() {
  const rebalance = currentRebalance(feed.rebalances.value, now.value);
  if (rebalance === null) return null;
  const { by, endedAt, since } = rebalance;
  const began = instantOf(since);
  return (
    <a class="rebalance-badge" href={routeHref('plan')}>
      <Badge
        tone={endedAt === null ? 'info' : 'ok'}
        title={began === null ? undefined : `Requested ${formatInstant(began)}`}
      >
        Rebalance
        {by !== null && (
          <>
            {' by '}
            <bdi class="cut">{by}</bdi>
          </>
        )}
        : {rebalanceText(rebalance)}
      </Badge>
    </a>
  );
}
