import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { namedWorker, workerHref } from '../overview/workers.js';
import { LEAVE_REASONS } from '../plan/plan-text.js';
import { routeHref } from '../shell/route.js';
import { SKIP_REASONS } from '../subscriptions/reason-text.js';
import { formatAge, formatInstant, instantOf } from '../time/instant.js';
import { phrase, type Phrase, type PhrasePart, type Texts } from '../wording/phrase.js';
import { actionSentence } from './operator-actions.js';

const SECOND = 1_000;

/** How serious an event is. An icon and a word show it too, not colour alone. */
export type EventTone = 'good' | 'bad' | 'neutral';

export interface EventKind {
  readonly label: string;
  readonly tone: EventTone;
  readonly sentence: (event: EventItem) => Phrase;
  /** What many of these events say together, after their number; left out: each has a line of its own. */
  readonly many?: string;
}

/** The known events; see the manual. */
export const EVENT_KINDS: Readonly<Record<string, EventKind>> = {
  'master-acquired': {
    label: 'New master',
    tone: 'neutral',
    sentence: (event) => phrase`${process(event)} became master.`,
  },
  'worker-online': {
    label: 'Worker online',
    tone: 'good',
    many: 'workers are online and accept cameras.',
    sentence: (event) => phrase`${worker(event, 'url')} is online and accepts cameras.`,
  },
  'worker-offline': {
    label: 'Worker offline',
    tone: 'bad',
    many: 'workers stopped reporting.',
    sentence: (event) => phrase`${worker(event, 'url')} stopped reporting.`,
  },
  'worker-drained': {
    label: 'Worker drained',
    tone: 'good',
    many: 'workers have no subscriptions left and can be stopped.',
    sentence: (event) => phrase`${worker(event, 'url')} has no subscriptions left and can be stopped.`,
  },
  'worker-quarantined': {
    label: 'Worker quarantined',
    tone: 'bad',
    many: 'workers are quarantined and get no new subscriptions for a while.',
    sentence: (event) =>
      phrase`${worker(event, 'url')} ${event.reason === 'flooding' ? 'sends too much' : 'is flapping'} and gets no new subscriptions until ${instant(event, 'until')}.`,
  },
  'worker-added': {
    label: 'Worker added',
    tone: 'neutral',
    many: 'workers were added to the configuration.',
    sentence: (event) => phrase`${worker(event, 'url')} was added to the configuration.`,
  },
  'worker-removed': {
    label: 'Worker removed',
    tone: 'neutral',
    many: 'workers were removed from the configuration.',
    sentence: (event) => phrase`${worker(event, 'url')} was removed from the configuration.`,
  },
  'camera-moved': {
    label: 'Camera moved',
    tone: 'neutral',
    many: 'cameras moved to other workers.',
    sentence: (event) =>
      phrase`Camera ${camera(event)} moved from ${worker(event, 'from')} to ${worker(event, 'to')}: ${words(LEAVE_REASONS, detail(event, 'reason'))}.`,
  },
  'camera-move-failed': {
    label: 'Move failed',
    tone: 'bad',
    many: 'cameras stay where they are: their new workers did not report them in time.',
    sentence: (event) =>
      phrase`Camera ${camera(event)} stays on ${worker(event, 'from')}: ${worker(event, 'to')} did not report it in time.`,
  },
  'model-failed': {
    label: 'Model failed',
    tone: 'bad',
    many: 'workers could not load a model.',
    sentence: (event) =>
      phrase`Worker ${worker(event, 'url')} cannot load the model of ${detail(event, 'cameras')} cameras, such as ${camera(event)}: ${detail(event, 'problem')}.`,
  },
  'model-version': {
    label: 'Model version',
    tone: 'neutral',
    sentence: (event) => {
      const [name, version, former] = [model(event), detail(event, 'version'), detail(event, 'former')];
      if (event.step === 'back') return phrase`Model ${name} went back from version ${version} to ${former}.`;
      return event.step === 'canary'
        ? phrase`Model ${name} gets version ${version} on ${detail(event, 'share')} % of its cameras, and keeps ${former} on the others.`
        : phrase`Model ${name} gets version ${version} in place of ${former}, one camera after another.`;
    },
  },
  'model-rollout': {
    label: 'Model rollout',
    tone: 'neutral',
    sentence: (event) => {
      const [ready, cameras] = [detail(event, 'ready'), detail(event, 'cameras')];
      const progress = phrase`${ready} of ${cameras} cameras run version ${detail(event, 'version')} of model ${model(event)}`;
      return event.step === 'paused'
        ? phrase`${progress}. ${detail(event, 'failed')} could not load it, so no further camera gets it.`
        : phrase`${progress}. No camera waits for it.`;
    },
  },
  'cluster-frozen': {
    label: 'Cluster frozen',
    tone: 'bad',
    sentence: () =>
      phrase`Most workers disappeared at once, which suggests a network failure. Nothing moves.`,
  },
  'cluster-thawed': {
    label: 'Cluster thawed',
    tone: 'good',
    sentence: () => phrase`Cameras may move again.`,
  },
  'redis-unavailable': {
    label: 'Redis unavailable',
    tone: 'bad',
    sentence: (event) =>
      phrase`Redis did not answer ${process(event)}${duration(event, 'until')}, from ${instant(event, 'since')} to ${instant(event, 'until')}.`,
  },
  'database-unavailable': {
    label: 'Database unavailable',
    tone: 'bad',
    sentence: (event) =>
      phrase`The master could not read the desired state from the database: ${detail(event, 'problem')}`,
  },
  'database-available': {
    label: 'Database available',
    tone: 'good',
    sentence: (event) =>
      phrase`The master can read the desired state from the database again${duration(event, 'at', 'after')}.`,
  },
  'operator-action': {
    label: 'Action',
    tone: 'neutral',
    sentence: (event) =>
      actionSentence(
        detail(event, 'by'),
        detail(event, 'action'),
        event.target === null ? null : namedWorker(detail(event, 'target')),
      ),
  },
  'subscription-removed': {
    label: 'Subscription removed',
    tone: 'neutral',
    many: 'subscriptions ended.',
    sentence: (event) =>
      typeof event.skipped === 'string'
        ? phrase`${detail(event, 'subscriptionIdentifier')} ended: its display is skipped. ${words(SKIP_REASONS, event.skipped)}.`
        : phrase`${detail(event, 'subscriptionIdentifier')} is no longer desired.`,
  },
};

/** For an unknown type: its name and all its fields as text. */
const unknown = (type: string): EventKind => ({ label: type, tone: 'neutral', sentence: everything });

export function eventKind(type: string): EventKind {
  return Object.hasOwn(EVENT_KINDS, type) ? EVENT_KINDS[type]! : unknown(type);
}

const COMMON = new Set(['eventId', 'type', 'at', 'term']);

function everything(event: EventItem): Phrase {
  const names = Object.keys(event).filter((name) => !COMMON.has(name));
  if (names.length === 0) return phrase`No details.`;
  return names.flatMap((name, index): PhrasePart[] => [
    ...(index === 0 ? [] : [', ']),
    { value: name },
    ': ',
    { value: detail(event, name) },
  ]);
}

/** The master that wrote the event may have another version, so a detail can be missing or have any type. */
function detail(event: EventItem, name: string): string {
  const value = Object.hasOwn(event, name) ? event[name] : undefined;
  if (typeof value === 'string') return value === '' ? '(empty)' : value;
  return value === undefined ? '(unknown)' : JSON.stringify(value);
}

/** Leads to the page of the worker, which also exists for a worker that was removed. */
function worker(event: EventItem, name: string): Phrase {
  const { value, ...link } = linked(event, name, workerHref);
  return [{ value: namedWorker(value), ...link }];
}

/** The service names its processes `<name>:<UUID>`. */
function process(event: EventItem): Phrase {
  const title = detail(event, 'processId');
  return [{ value: title.replace(/:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, ''), title }];
}

function model(event: EventItem): Phrase {
  return [{ value: detail(event, 'modelName'), href: routeHref('models') }];
}

function camera(event: EventItem): Phrase {
  return [linked(event, 'cameraId', (text) => routeHref('cameras', { text }))];
}

function linked(
  event: EventItem,
  name: string,
  hrefOf: (value: string) => string,
): Exclude<PhrasePart, string> {
  const value = detail(event, name);
  return event[name] === value ? { value, href: hrefOf(value) } : { value };
}

/** The text of a known code, else the code. */
function words(texts: Texts, code: string): Phrase {
  return Object.hasOwn(texts, code) ? [texts[code]!] : [{ value: code }];
}

function instant(event: EventItem, name: string): string {
  const text = detail(event, name);
  const ms = instantOf(text);
  return ms === null ? text : formatInstant(ms);
}

/** Since the instant `since` of the event, e.g. ` for 12 s`; nothing if an instant is missing. */
function duration(event: EventItem, end: string, word = 'for'): Phrase {
  const [from, to] = [instantOf(detail(event, 'since')), instantOf(detail(event, end))];
  if (from === null || to === null) return [];
  return [` ${word} ${to - from < SECOND ? 'less than 1 s' : formatAge(to - from)}`];
}
