import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Arguments of one line of MONITOR: quoted, with backslash escapes. */
const ARGUMENT = /"((?:[^"\\]|\\.)*)"/g;

/** How a line goes on that adds an entry: the message, which may be long, is not read beyond its first member, the id. */
const ADDED = /^\S+ \S+ \S+ "XADD" "([^"]+)" "NOMKSTREAM" "([^"]+)" "message" "\{\\"id\\":\\"([^"\\]+)\\"/i;

/** Commands that are read as a whole. */
const OTHERS = /^\S+ \S+ \S+ "(?:XACK|XGROUP|DEL|UNLINK)" /i;

/** What is known of the stream of a process. */
interface Stream {
  /** Id of the newest entry. */
  last: string;
  /** Entry id → detection id. */
  readonly entries: Map<string, string>;
  deleted: boolean;
}

/**
 * Watches, from outside every process of the cluster, which detections Redis has accepted and which of them their owners have
 * dealt with: the ids of all entries that were added to a process's stream, and were acknowledged there. Commands are seen
 * also when Redis refuses them; an entry counts where there is a stream, and its id is above all that the stream has had.
 *
 * Speaks to the server itself, because on a busy one the client library mistakes the first lines of MONITOR for replies.
 * Slows the server down: for tests and demos.
 */
export class AcceptanceMonitor {
  /** In the order in which they came. */
  readonly accepted = new Set<string>();
  /** Callbacks have returned for them, in a process that may have ended since. */
  readonly acknowledged = new Set<string>();
  private readonly streams = new Map<string, Stream>();
  /** Detection id → stream and entry that it came to last. */
  private readonly places = new Map<string, string>();
  private socket: Socket | undefined;

  constructor(
    private readonly redisUrl: string,
    private readonly keyPrefix = '',
  ) {}

  async start(): Promise<void> {
    const { hostname, port } = new URL(this.redisUrl);
    const socket = connect(Number(port || 6379), hostname);
    this.socket = socket;
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    const lines = createInterface({ input: socket });
    socket.write('MONITOR\r\n');
    const [answer] = (await once(lines, 'line')) as [string];
    if (answer !== '+OK') throw new Error(`Redis does not let itself be watched: ${answer}`);
    lines.on('line', (line) => this.read(line));
  }

  stop(): void {
    this.socket?.destroy();
  }

  /** Where an accepted detection was written, for whoever looks for a lost one: `<stream> <entry>`. */
  placeOf(id: string): string {
    return this.places.get(id) ?? 'nowhere';
  }

  private read(line: string): void {
    const added = ADDED.exec(line);
    if (added !== null) {
      const [, stream, entry, id] = added;
      this.added(stream!, entry!, id!);
    } else if (OTHERS.test(line)) {
      const [command, ...args] = Array.from(line.matchAll(ARGUMENT), ([, argument]) => argument!);
      this.done(command!.toUpperCase(), args);
    }
  }

  private done(command: string, args: readonly string[]): void {
    if (command === 'XACK') {
      const [stream, , ...entries] = args;
      for (const entry of entries) this.settled(stream!, entry);
    } else if (command === 'XGROUP') {
      const [subcommand, stream] = args;
      if (subcommand!.toUpperCase() === 'CREATE') this.created(stream!);
    } else for (const stream of args) this.deleted(stream);
  }

  private added(name: string, entry: string, id: string): void {
    const stream = this.streamOf(name);
    if (stream === undefined || stream.deleted || !isAbove(entry, stream.last)) return;
    stream.last = entry;
    stream.entries.set(entry, id);
    this.accepted.add(id);
    this.places.set(id, `${name} ${entry}`);
  }

  private settled(name: string, entry: string): void {
    const id = this.streams.get(name)?.entries.get(entry);
    if (id !== undefined) this.acknowledged.add(id);
  }

  private created(name: string): void {
    const stream = this.streamOf(name);
    if (stream !== undefined) stream.deleted = false;
  }

  private deleted(name: string): void {
    const stream = this.streamOf(name);
    if (stream === undefined) return;
    stream.deleted = true;
    stream.last = '0-0';
    stream.entries.clear();
  }

  /** Of another key: undefined. */
  private streamOf(name: string): Stream | undefined {
    if (!name.startsWith(`${this.keyPrefix}worker:slave:`)) return undefined;
    let stream = this.streams.get(name);
    if (stream === undefined)
      this.streams.set(name, (stream = { last: '0-0', entries: new Map(), deleted: false }));
    return stream;
  }
}

/** Of two ids of entries: `<term>-<sequence>`. */
function isAbove(entry: string, other: string): boolean {
  const [term, sequence] = entry.split('-').map(Number);
  const [otherTerm, otherSequence] = other.split('-').map(Number);
  return term! > otherTerm! || (term === otherTerm && sequence! > otherSequence!);
}
