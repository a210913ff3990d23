import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Viewport {
  readonly scrollTop: number;
  /** Without the header that lies above the rows. */
  readonly viewportHeight: number;
}

/** Scroll position and visible height of an element, kept up to date. CSS pixels. */
export function useViewport(
  scroller: RefObject<HTMLElement | null>,
  header: RefObject<HTMLElement | null>,
): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ scrollTop: 0, viewportHeight: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = () =>
      setViewport((before) => {
        const { clientHeight, scrollTop } = element;
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
  }, [scroller, header]);
  return viewport;
}
