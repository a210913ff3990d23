import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { askToRebalance, askToRegenerate, askToResign } from '../actions/cluster-actions.js';
import { camerasInOrder } from '../cameras/cameras.js';
import { feed } from '../feed/feed.js';
import { masterOf } from '../overview/summary.js';
import { workersInOrder } from '../overview/workers-section.js';
import { workerName, workerHref } from '../overview/workers.js';
import { PAGE_TITLES } from './navigation.js';
import { PAGES, routeHref } from './route.js';
import { reasonText, STATUS_NAMES } from '../subscriptions/reason-text.js';
import { classNames } from '../ui/class-names.js';
import { Dialog } from '../ui/dialog.js';
import { findCommands, moveInList, type Command } from './commands.js';
import { closeOverlay, overlay } from './overlay.js';
import './palette.css';

/** The palette, if it is open. */
export function Overlays() {
  return overlay.value ? <Palette /> : null;
}

/** Finds pages, workers, cameras and actions by a part of their names. */
export function Palette() {
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const commands = useMemo(() => Array.from(knownCommands()), []);
  const { found, more } = useMemo(() => findCommands(commands, text), [commands, text]);
  const place = Math.min(chosen, found.length - 1);
  const optionId = (index: number) => `${id}-${index}`;

  useEffect(() => {
    list.current?.children[place]?.scrollIntoView({ block: 'nearest' });
  }, [place, found]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      const command = found[place];
      if (command !== undefined) run(command);
      return;
    }
    const next = moveInList(event.key, place, found.length);
    if (next === null) return;
    event.preventDefault();
    setChosen(next);
  };

  return (
    <Dialog title="Go to" onClose={closeOverlay}>
      <input
        type="text"
        class="palette-input"
        role="combobox"
        aria-label="Page, worker, camera or action"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length === 0 ? undefined : optionId(place)}
        placeholder="Page, worker, camera or action"
        autocomplete="off"
        spellcheck={false}
        data-first
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul ref={list} id={`${id}-list`} class="palette-list" role="listbox" aria-label="Matches">
        {found.map((command, index) => (
          <li
            key={command.id}
            id={optionId(index)}
            role="option"
            aria-selected={index === place}
            class={classNames('palette-option', index === place && 'palette-chosen')}
            onClick={() => run(command)}
          >
            <bdi class="cut">{command.label}</bdi>
            <span class="muted">
              {command.problem !== undefined && `${command.problem} · `}
              {command.kind}
            </span>
          </li>
        ))}
      </ul>
      <p class="muted" role="status">
        {found.length === 0 && 'No matches.'}
        {more > 0 && `${more.toLocaleString('en-GB')} more. Type more letters to narrow the list.`}
      </p>
    </Dialog>
  );
}

function run({ go }: Command): void {
  closeOverlay();
  if (typeof go === 'string') window.location.hash = go;
  else go();
}

/** Everything that the palette can lead to or do now. */
export function* knownCommands(): Generator<Command> {
  for (const page of PAGES)
    yield { id: page, kind: 'Page', label: PAGE_TITLES[page], first: true, go: routeHref(page) };
  yield page('skipped', 'Skipped displays', routeHref('subscriptions', { view: 'skipped' }));
  yield page('search', 'Search stored detections', routeHref('detections', { view: 'search' }));

  const master = masterOf(Object.values(feed.processes.peek()));
  if (feed.mayOperate.peek()) {
    yield action('regenerate', 'Read the database again', askToRegenerate);
    yield action('rebalance', 'Rebalance', askToRebalance);
    if (master !== null) yield action('resign', 'Hand over to another process', () => askToResign(master));
  }

  for (const { url } of workersInOrder.peek())
    yield { id: `worker ${url}`, kind: 'Worker', label: workerName(url), go: workerHref(url) };
  for (const { cameraId, status, reason } of camerasInOrder.peek())
    yield {
      id: `camera ${cameraId}`,
      kind: 'Camera',
      label: cameraId,
      ...(status !== 'active' && { problem: `${STATUS_NAMES[status]}: ${reasonText(reason)}` }),
      go: routeHref('cameras', { text: cameraId }),
    };
  for (const { displayId, reason } of Object.values(feed.skipped.peek()))
    yield {
      id: `display ${displayId}`,
      kind: 'Display',
      label: displayId,
      problem: `${STATUS_NAMES.skipped}: ${reasonText(reason)}`,
      go: routeHref('manage', { kind: 'displays', text: displayId }),
    };
}

function page(id: string, label: string, go: string): Command {
  return { id, kind: 'Page', label, go };
}

function action(id: string, label: string, go: () => void): Command {
  return { id, kind: 'Action', label, first: true, go };
}
