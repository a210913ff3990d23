import './ui.css';

/** Drawn on a grid of 16 by 16, as strokes in the colour of the surrounding text. */
const PATHS = {
  check: 'M3.5 8.5l3 3 6-7',
  alert: 'M8 2.5l6 11H2l6-11zM8 6.7v3M8 11.6v.1',
  cross: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 5v3.2l2 1.4',
  minus: 'M4 8h8',
  info: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.5V11M8 5.2v.1',
  crown: 'M2.5 12.5h11M3 10L2.5 4.5 5.7 7 8 3l2.3 4 3.2-2.5L13 10z',
  refresh: 'M13 5.5A5.5 5.5 0 103 10M13.3 2.5v3.2h-3.2',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5l7 4.5-7 4.5z',
  drain: 'M8 2.5v7M5 6.8l3 3 3-3M3 13.3h10',
  lock: 'M4 7.5h8v6H4zM5.7 7.5V5.2a2.3 2.3 0 014.6 0v2.3',
  chevron: 'M6 4l4 4-4 4',
  copy: 'M6 6h7.5v7.5H6zM3.5 10H2.5V2.5H10v1',
  search: 'M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.3 10.3l3.2 3.2',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside a text with the same meaning; never alone. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
