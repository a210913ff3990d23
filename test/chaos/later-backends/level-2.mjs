// Makes the journalled service a later version, which understands formats of level 2: messages in logs that begin with a mark. A process of
// level 1 takes them for messages that cannot be read.
import { RedisLogSource } from '../../../libs/delivery/dist/log/redis-log-source.js';
import { RedisLogStore } from '../../../libs/delivery/dist/log/redis-log-store.js';
import { FORMAT_VERSIONS } from '../../../libs/master-election/dist/registry/format-levels.js';
import { ProcessRegistry } from '../../../libs/master-election/dist/registry/process-registry.js';

const MARK = '2:';

function mark({ count, text }) {
  const messages = count === 1 ? [text] : text.split('\n');
  return { count, text: messages.map((message) => MARK + message).join('\n') };
}

const unmark = (message) => (message.startsWith(MARK) ? message.slice(MARK.length) : message);

/** @param atOnce whether the service writes it whatever other processes understand */
export function understandLevel2({ atOnce = false } = {}) {
  FORMAT_VERSIONS.push('0.2.0');
  let registry;
  let said = false;

  const { put } = ProcessRegistry.prototype;
  ProcessRegistry.prototype.put = function (...args) {
    registry = this;
    return put.apply(this, args);
  };

  const { append } = RedisLogStore.prototype;
  RedisLogStore.prototype.append = function (appends, options) {
    if (!atOnce && registry.written.level < 2) return append.call(this, appends, options);
    if (!said) process.stderr.write('writes formats of level 2\n');
    said = true;
    const marked = appends.map((each) => ({ ...each, batches: each.batches.map(mark) }));
    return append.call(this, marked, options);
  };

  const { read } = RedisLogSource.prototype;
  RedisLogSource.prototype.read = async function (...args) {
    const pages = await read.apply(this, args);
    for (const { entries } of pages.values())
      for (const entry of entries) entry.messages = entry.messages.map(unmark);
    return pages;
  };
}
