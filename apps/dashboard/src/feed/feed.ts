import { DASHBOARD_PATH } from '@detector-cluster/dashboard-protocol';
import { noteServiceTime } from '../time/clock.js';
import { afterFrame } from './after-frame.js';
import { type FeedSocket, type FeedSocketEvents, type FeedWorld, FeedConnection } from './feed-connection.js';
import { FeedStore } from './feed-store.js';
import { apiKey, sessionMemory } from './page-memory.js';

const RELOADED = 'dashboard.reloaded';
/** A page reloads itself at most once within this time. Milliseconds. */
const RELOAD_EVERY = 60_000;

/** A browser's page. */
export const browserWorld: FeedWorld = {
  dial,
  after(delay, action) {
    const timer = window.setTimeout(action, delay);
    return () => window.clearTimeout(timer);
  },
  now: () => Date.now(),
  random: () => Math.random(),
  apiKey: () => apiKey.value,
  reload() {
    const before = Number(sessionMemory.read(RELOADED) ?? Number.NaN);
    if (Date.now() - before < RELOAD_EVERY) return false;
    // A page that cannot remember its last reload would reload endlessly.
    if (!sessionMemory.write(RELOADED, String(Date.now()))) return false;
    window.location.reload();
    return true;
  },
};

function dial({ opened, received, closed }: FeedSocketEvents): FeedSocket {
  const url = new URL(DASHBOARD_PATH, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  const socket = new WebSocket(url);
  const heard = new AbortController();
  const { signal } = heard;
  socket.addEventListener('open', opened, { signal });
  const later = (action: () => void) => afterFrame(() => signal.aborted || action());
  socket.addEventListener('message', ({ data }) => later(() => received(String(data))), { signal });
  // Follows each 'error', too.
  socket.addEventListener('close', ({ code }) => later(() => closed(code)), { signal });
  return {
    send: (text) => socket.send(text),
    drop() {
      heard.abort();
      // Browsers log an error if a socket is closed before it is open.
      if (socket.readyState === WebSocket.CONNECTING)
        socket.addEventListener('open', () => socket.close(), { once: true });
      else socket.close();
    },
  };
}

/** The state that this page knows. */
export const feed = new FeedStore();

export const feedConnection = new FeedConnection(browserWorld, {
  welcome: ({ mayOperate }) => void (feed.mayOperate.value = mayOperate),
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
