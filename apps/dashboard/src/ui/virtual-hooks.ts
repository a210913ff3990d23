import { computed, signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useState, useRef } from 'preact/hooks';
import { stepAt } from './virtual-grid.js';

const NARROW = window.matchMedia('(max-width: 48rem)');

const narrow = signal(NARROW.matches);
NARROW.addEventListener('change', () => (narrow.value = NARROW.matches));

/** If the columns do not fit, the cells of a row take two or three lines. */
const HEIGHTS = { wide: 2.25, narrow: 4.5 };

/** Height of each row of a virtual table, in CSS pixels. It follows the reader's text size. */
export const rowHeight = computed(() => {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.round((narrow.value ? HEIGHTS.narrow : HEIGHTS.wide) * rem);
});

export interface Viewport {
  /** Rounded down to a multiple of the step. */
  readonly scrollTop: number;
  /** Without the header that lies above the rows. */
  readonly viewportHeight: number;
  /** Whether other rows have come into view within {@link SCROLL_END}. */
  readonly scrolling: boolean;
}

/** A scroll has ended after this time without a scroll event. Milliseconds. */
const SCROLL_END = 150;

/**
 * Scroll position and visible height of an element, kept up to date. CSS pixels.
 * @param step a scroll within one step does not render: the browser then only moves what it has drawn
 */
export function useViewport(
  scroller: RefObject<HTMLElement | null>,
  header: RefObject<HTMLElement | null>,
  step: number,
): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ scrollTop: 0, viewportHeight: 0, scrolling: false });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = (scrolls: boolean) =>
      setViewport((before) => {
        const { clientHeight } = element;
        const scrollTop = stepAt(element.scrollTop, step);
        const viewportHeight = clientHeight - (header.current?.offsetHeight ?? 0);
        if (before.scrollTop === scrollTop && before.viewportHeight === viewportHeight) return before;
        return { scrollTop, viewportHeight, scrolling: before.scrolling || scrolls };
      });
    const end = () => setViewport((before) => (before.scrolling ? { ...before, scrolling: false } : before));
    let timer: number | undefined;
    const onScroll = () => {
      measure(true);
      window.clearTimeout(timer);
      timer = window.setTimeout(end, SCROLL_END);
    };
    measure(false);
    end();
    const sizes = new ResizeObserver(() => measure(false));
    sizes.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.clearTimeout(timer);
      sizes.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, header, step]);
  return viewport;
}

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
