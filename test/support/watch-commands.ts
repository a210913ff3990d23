import { monitorRedis } from '@detector-cluster/dev-services';

/** A command as the server carried it out. */
export interface WatchedCommand {
  /** In lower case. */
  readonly name: string;
  readonly args: readonly string[];
  /** Address of the client; `lua` for what a script does. */
  readonly source: string;
}

/** `+<time> [<db> <source>] "COMMAND" "argument" …` */
const LINE = /^\+\d+\.\d+ \[\d+ ([^\]]+)\] (.*)$/;
const QUOTED = /"((?:[^"\\]|\\.)*)"/g;

/**
 * Everything that the server at `url` does from now on, in its order.
 * @returns a function that ends it
 */
export async function watchCommands(
  url: string,
  onCommand: (command: WatchedCommand) => void,
): Promise<() => void> {
  const socket = await monitorRedis(url, (line) => {
    const [, source, texts] = LINE.exec(line) ?? [];
    if (source === undefined) return;
    const [name, ...args] = [...texts!.matchAll(QUOTED)].map(([, text]) => unescaped(text!));
    if (name !== undefined) onCommand({ name: name.toLowerCase(), args, source });
  });
  return () => socket.destroy();
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b' };

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_all, hex: string | undefined, letter: string) =>
    hex === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
