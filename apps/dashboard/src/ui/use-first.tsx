import { useState } from 'preact/hooks';
import { Button } from './button.js';

/** The first items of a long list, and a button that shows `step` more of these things; false: all are shown. */
export function useFirst<T>(items: readonly T[], step: number, things: string) {
  const [most, setMost] = useState(step);
  const more = most < items.length && (
    <div class="actions">
      <Button onClick={() => setMost(most + step)}>Show more {things}</Button>
    </div>
  );
  return { shown: items.slice(0, most), more };
}
