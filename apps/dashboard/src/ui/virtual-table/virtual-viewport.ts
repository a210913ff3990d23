import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Viewport {
  /** Rounded down to a multiple of the step. */
  readonly scrollTop: number;
  /** Without the header that lies above the rows. */
  readonly viewportHeight: number;
}

/**
 * Scroll position and visible height of an element, kept up to date. CSS pixels.
 * @param step a scroll within one step does not render: the browser then only moves what it has drawn
 */
export function useViewport(
  scroller: RefObject<HTMLElement | null>,
  header: RefObject<HTMLElement | null>,
  step: number,
): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ scrollTop: 0, viewportHeight: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = () =>
      setViewport((before) => {
        const { clientHeight } = element;
        const scrollTop = Math.floor(element.scrollTop / step) * step;
        const viewportHeight = clientHeight - (header.current?.offsetHeight ?? 0);
        return before.scrollTop === scrollTop && before.viewportHeight === viewportHeight
          ? before
          : { scrollTop, viewportHeight };
      });
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller, header, step]);
  return viewport;
}
