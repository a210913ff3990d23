/** The words of one shell command, without quotes. */
export type Command = readonly string[];

/** Separators between commands: pipes, lists, the end of the line. */
const SEPARATOR = /^(?:&&|\|\||[|;&\n])$/;

/**
 * The commands of a shell block. Supports the syntax that documents need: quotes, comments, continued lines, lists and pipes.
 * Omits variables that are set before a command.
 */
export function splitCommands(text: string): Command[] {
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
