import { noteServiceTime } from '../time/clock.js';
import { browserWorld } from './browser-world.js';
import { FeedConnection } from './feed-connection.js';
import { FeedStore } from './feed-store.js';

/** The state that this page knows. */
export const feed = new FeedStore();

export const feedConnection = new FeedConnection(browserWorld, {
  message: (message) => {
    noteServiceTime(message.data.at);
    feed.take(message);
  },
  connection: (connection) => void (feed.connection.value = connection),
});

/** Listens to the service until the page closes. */
export function startFeed(): void {
  window.addEventListener('online', () => feedConnection.wake());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') feedConnection.wake();
  });
  feedConnection.start();
}
