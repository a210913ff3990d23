import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** How long an element has to be in view before it counts, so that fast scrolling costs nothing. Milliseconds. */
const SETTLE = 200;

/** Whether an element is in view and the window is visible. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    let intersects = false;
    let timer = 0;
    const update = () => {
      window.clearTimeout(timer);
      if (!intersects || document.hidden) setInView(false);
      else timer = window.setTimeout(() => setInView(true), SETTLE);
    };
    const observer = new IntersectionObserver((entries) => {
      intersects = entries.at(-1)!.isIntersecting;
      update();
    });
    observer.observe(element.current!);
    document.addEventListener('visibilitychange', update);
    return () => {
      window.clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', update);
    };
  }, [element]);
  return inView;
}
