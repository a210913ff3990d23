import type { ElectionBackend } from '@detector-cluster/election';

/**
 * A backend that passes on one update at a time, each after `idle` has resolved, so that the next update never overtakes a command.
 * For a console, where no other instance can lead in the meantime. Calls `ended` when its campaign ends by itself.
 */
export function oneAtATime(
  backend: ElectionBackend,
  idle: () => Promise<void>,
  ended: () => void,
): ElectionBackend {
  return {
    name: backend.name,
    resign: () => backend.resign(),
    close: () => backend.close(),
    async *campaign(candidate, signal) {
      for await (const state of backend.campaign(candidate, signal)) {
        await idle();
        if (signal.aborted) return;
        yield state;
      }
      if (!signal.aborted) ended();
    },
  };
}
