/** One command of a shell, by its words; quotes are taken off. */
export type Command = readonly string[];

/** What stands between words: pipes, lists, the end of the line. */
const SEPARATOR = /^(?:&&|\|\||[|;&\n])$/;

/**
 * The commands of a block of shell, as far as documents need it: quotes, comments, continued lines, lists and pipes. Variables
 * that are set before a command are left out.
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
