import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface KeptFocus {
  /** The next rendering focuses the active cell. */
  readonly want: () => void;
  readonly onFocusIn: (event: FocusEvent) => void;
  readonly onFocusOut: () => void;
}

/** Keeps the focus in a grid. Browsers drop it when the focused row is removed, inserted or moved. */
export function useKeptFocus(grid: RefObject<HTMLElement | null>): KeptFocus {
  const held = useRef(false);
  const rendering = useRef(false);
  rendering.current = true;
  useLayoutEffect(() => {
    rendering.current = false;
    const cell = grid.current?.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]');
    if (held.current && cell !== document.activeElement) cell?.focus({ preventScroll: true });
  });
  return {
    want: () => (held.current = true),
    onFocusIn: (event) => (held.current = isCell(event.target)),
    onFocusOut: () => {
      if (!rendering.current) held.current = false;
    },
  };
}

function isCell(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.getAttribute('role') === 'gridcell';
}
