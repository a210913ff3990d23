import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readTokens } from './parse-markdown.js';
import { NameCollector, type SourceNames } from './name-collector.js';
import type { Problem } from './problem.js';

/** A walk with more steps is not read. */
const MAX_STEPS = 9;

/** A class, a function, or a member of a class. Commands of Redis, names of metrics and paths look different. */
const NAME = /^(?=.*[a-z])[A-Za-z]+(?:\.[A-Za-z]+)?$/;

/**
 * Finds steps of walks that do not name a function and its file: "1. [`Class.method`](path) does …". A walk is a heading of level
 * three in the section "Walks". Also finds other code marks of that section that look like names and are none of the sources.
 * @param document path from the root of the repository; links of the steps are relative to its folder
 * @param names of the sources that the walks lead through
 */
export function findUnknownSteps(
  root: string,
  document: string,
  text: string,
  names: Pick<SourceNames, 'declared' | 'members'>,
): Problem[] {
  const problems: Problem[] = [];
  let inWalks = false;
  let steps = 0;
  let begins = false;
  const tokens = readTokens(text);
  for (const [index, { token, line }] of tokens.entries()) {
    const report = (message: string) => void problems.push({ document, line, message });
    if (token.type === 'heading_open' && token.tag <= 'h3') {
      if (token.tag < 'h3') inWalks = tokens[index + 1]?.token.content === 'Walks';
      steps = 0;
    }
    if (token.type === 'list_item_open') begins = token.info !== '';
    if (token.type !== 'inline') continue;
    const isFirst = begins;
    begins = false;
    if (!inWalks) continue;
    const children = token.children ?? [];
    const [link, code] = children;
    const step = isFirst && link?.type === 'link_open' && code?.type === 'code_inline' ? code : undefined;
    for (const { type, content } of children)
      if (
        type === 'code_inline' &&
        content !== step?.content &&
        NAME.test(content) &&
        !isDeclared(content, names)
      )
        report(`\`${content}\` is not declared`);
    if (!isFirst) continue;
    if (++steps === MAX_STEPS + 1) report(`the walk has more than ${MAX_STEPS} steps`);
    const path = posix.join(posix.dirname(document), String(link?.attrGet('href') ?? ''));
    if (step === undefined) report('the step does not begin with [`name`](path)');
    else if (!existsSync(join(root, path))) report(`${path} does not exist`);
    else if (!declares(path, readFileSync(join(root, path), 'utf8'), step.content))
      report(`${path} does not declare \`${step.content}\``);
  }
  return problems;
}

function declares(path: string, source: string, name: string): boolean {
  const collector = new NameCollector();
  collector.add(path, source);
  return isDeclared(name, collector.result());
}

function isDeclared(name: string, { declared, members }: Pick<SourceNames, 'declared' | 'members'>): boolean {
  const [owner, member] = name.split('.', 2) as [string, string?];
  return member === undefined ? declared.has(owner) : (members.get(owner)?.has(member) ?? false);
}
