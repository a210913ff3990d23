import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { classNames } from '../ui/class-names.js';
import { Dialog } from '../ui/dialog.js';
import { findCommands, moveInList, type Command } from './commands.js';
import { knownCommands } from './known-commands.js';
import { closeOverlay } from './overlay.js';
import './palette.css';

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
            <span class="muted">{command.kind}</span>
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
