import type { ElectionBackend } from '@detector-cluster/election';

/**
 * A backend whose updates wait for their turn: none is passed on before `idle` has resolved, so that a command is never overtaken by
 * the next update. For a console, where nobody else leads meanwhile. `ended` is called when its campaign ends by itself.
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
