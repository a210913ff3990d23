import { posix } from 'node:path';
import type { MarkdownDocument } from './parse-markdown.js';
import type { Problem } from './problem.js';
import type { Programs } from './programs.js';

/** The words of one shell command, without quotes. */
type Command = readonly string[];

/** Separators between commands: pipes, lists, the end of the line. */
const SEPARATOR = /^(?:&&|\|\||[|;&\n])$/;

/**
 * The commands of a shell block. Supports the syntax that documents need: quotes, comments, continued lines, lists and pipes.
 * Omits variables that are set before a command.
 */
function splitCommands(text: string): Command[] {
  const tokens =
    text
      .replaceAll('\\\n', ' ')
      .replaceAll(/(^|\s)#.*$/gm, '$1')
      .match(/'[^']*'|"[^"]*"|&&|\|\||[|;&\n]|(?:'[^']*'|"[^"]*"|[^\s'"|;&])+/g) ?? [];
  const commands: string[][] = [[]];
  for (const token of tokens)
    if (SEPARATOR.test(token)) commands.push([]);
    else commands.at(-1)!.push(token.replaceAll(/['"]/g, ''));
  return commands
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter((words) => words.length > 0);
}

/** Finds npm scripts and options of this repository's programs that a document names but that do not exist. */
export function findUnknownCommands(documents: readonly MarkdownDocument[], programs: Programs): Problem[] {
  return documents.flatMap(({ path, blocks, code }) =>
    [
      ...blocks
        .filter(({ language }) => language === 'sh')
        .map(({ line, text }) => ({ line, messages: unknownInBlock(text, programs) })),
      ...code
        .filter(({ text }) => /^(npm|elector) /.test(text))
        .map(({ line, text }) => ({ line, messages: unknownInText(text, programs) })),
    ].flatMap(({ line, messages }) => messages.map((message) => ({ document: path, line, message }))),
  );
}

/** A text does not say in which folder a command runs. */
function unknownInText(text: string, programs: Programs): string[] {
  return splitCommands(text).flatMap((command) => {
    const script = scriptOf(command);
    const known = [...programs.scripts.values()].some(
      (scripts) => script === undefined || scripts.has(script),
    );
    return [
      ...(known ? [] : [`no package.json has a script "${script}"`]),
      ...unknownFlags(command, programs),
    ];
  });
}

function unknownInBlock(text: string, programs: Programs): string[] {
  let folder = '';
  return splitCommands(text).flatMap((command) => {
    if (command[0] === 'cd') {
      folder = posix.normalize(posix.join(folder, command[1] ?? '')).replace(/^\.$/, '');
      return [];
    }
    return [...unknownScript(command, folder, programs), ...unknownFlags(command, programs)];
  });
}

function unknownScript(command: Command, folder: string, { scripts }: Programs): string[] {
  const script = scriptOf(command);
  if (script === undefined) return [];
  const workspace = command.findIndex((word) => /^(-w|--workspace|--prefix)$/.test(word));
  const where = workspace === -1 ? folder : (command[workspace + 1] ?? '');
  return scripts.get(where)?.has(script)
    ? []
    : [`${posix.join(where, 'package.json')} has no script "${script}"`];
}

/** The script in an npm command. */
function scriptOf([program, verb, ...rest]: Command): string | undefined {
  if (program !== 'npm') return undefined;
  if (verb === 'test' || verb === 'start' || verb === 'stop') return verb;
  return verb === 'run' ? rest.find((word) => !word.startsWith('-')) : undefined;
}

function unknownFlags(command: Command, { flags }: Programs): string[] {
  const script = scriptOf(command);
  const name = script === undefined ? command[0]! : `npm run ${script}`;
  const known = flags.get(name);
  if (!known) return [];
  const end = command.indexOf('--');
  // For npm, the words after `--` are arguments of the program. For elector, they are the command that it runs.
  const own = script === undefined ? command.slice(0, end === -1 ? undefined : end) : command.slice(end + 1);
  return own
    .filter((word) => /^--?[a-z]/.test(word) && word !== '--help')
    .map((word) => word.replace(/[=…].*$/, ''))
    .filter((word) => !known.has(word))
    .map((word) => `${name} has no option ${word}`);
}
