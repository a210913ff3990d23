import { askToRebalance, askToRegenerate, askToResign } from '../actions/cluster-actions.js';
import { askToChangeStanding, STANDING_CHANGES, type StandingChange } from '../actions/worker-actions.js';
import { cameras } from '../cameras/cameras.js';
import { feed } from '../feed/feed.js';
import { masterOf } from '../overview/summary/summary.js';
import { workerName } from '../overview/workers/worker-name.js';
import { workersInOrder } from '../overview/workers/workers-in-order.js';
import { PAGE_TITLES } from '../shell/navigation.js';
import { PAGES, routeHref } from '../shell/route.js';
import { switchTheme } from '../shell/theme.js';
import { workerHref } from '../worker/worker-href.js';
import type { Command } from './commands.js';
import { openOverlay } from './overlay.js';

const CHANGES = Object.keys(STANDING_CHANGES) as StandingChange[];

/** Everything that the palette can lead to or do now. */
export function* knownCommands(): Generator<Command> {
  for (const page of PAGES)
    yield { id: page, kind: 'Page', label: PAGE_TITLES[page], first: true, go: routeHref(page) };
  yield page('skipped', 'Skipped displays', routeHref('subscriptions', { view: 'skipped' }));
  yield page('search', 'Search stored detections', routeHref('detections', { view: 'search' }));

  const master = masterOf(Object.values(feed.processes.peek()));
  yield action('regenerate', 'Regenerate', askToRegenerate);
  yield action('rebalance', 'Rebalance', askToRebalance);
  if (master !== null) yield action('resign', 'Resign master', () => askToResign(master));
  yield action('theme', 'Switch the theme', switchTheme);
  yield action('help', 'Keyboard help', () => openOverlay('help'));

  const workers = workersInOrder.peek();
  for (const { url } of workers)
    yield { id: `worker ${url}`, kind: 'Worker', label: workerName(url), go: workerHref(url) };
  for (const { cameraId } of cameras.peek())
    yield {
      id: `camera ${cameraId}`,
      kind: 'Camera',
      label: cameraId,
      go: routeHref('cameras', { text: cameraId }),
    };
  for (const worker of workers)
    for (const which of CHANGES) {
      const { verb, leadsTo } = STANDING_CHANGES[which];
      if (worker.standing === leadsTo) continue;
      const label = `${verb} ${workerName(worker.url)}`;
      yield {
        id: `${which} ${worker.url}`,
        kind: 'Action',
        label,
        go: () => askToChangeStanding(worker, which),
      };
    }
}

function page(id: string, label: string, go: string): Command {
  return { id, kind: 'Page', label, go };
}

function action(id: string, label: string, go: () => void): Command {
  return { id, kind: 'Action', label, first: true, go };
}
