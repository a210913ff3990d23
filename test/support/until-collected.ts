import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, vi } from 'vitest';

/** Resolves when nothing refers to these objects any more. Needs real timers. */
export async function untilCollected(...left: readonly WeakRef<object>[]): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await vi.waitFor(() => {
    collect();
    // A failed assertion about the objects would keep them.
    expect(left.filter((each) => each.deref() !== undefined).length).toBe(0);
  }, 20_000);
}
