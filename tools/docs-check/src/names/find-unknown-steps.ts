import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NameCollector } from './source-names.js';
import type { Problem } from '../problem.js';

/** A walk with more steps is not read. */
const MOST_STEPS = 9;

/**
 * Finds steps of walks that do not name a function and its file: "1. [`Class.method`](path) does …". A walk is a heading of level
 * three in the section "Walks".
 * @param document path from the root of the repository; links of the steps are relative to the root
 */
export function findUnknownSteps(root: string, document: string, text: string): Problem[] {
  const problems: Problem[] = [];
  let inWalks = false;
  let steps = 0;
  for (const [index, content] of text.split('\n').entries()) {
    const report = (message: string) => void problems.push({ document, line: index + 1, message });
    if (content.startsWith('## ')) inWalks = content === '## Walks';
    if (content.startsWith('##')) steps = 0;
    if (!inWalks || !/^\d+\. /.test(content)) continue;
    if (++steps === MOST_STEPS + 1) report(`the walk has more than ${MOST_STEPS} steps`);
    const [, name, path] = /^\d+\. \[`([^`]+)`\]\(([^)]+)\)/.exec(content) ?? [];
    if (name === undefined || path === undefined) report('the step does not begin with [`name`](path)');
    else if (!existsSync(join(root, path))) report(`${path} does not exist`);
    else if (!declares(path, readFileSync(join(root, path), 'utf8'), name))
      report(`${path} does not declare \`${name}\``);
  }
  return problems;
}

function declares(path: string, source: string, name: string): boolean {
  const collector = new NameCollector();
  collector.add(path, source);
  const { declared, members } = collector.result();
  const [owner, member] = name.split('.', 2) as [string, string?];
  return member === undefined ? declared.has(owner) : (members.get(owner)?.has(member) ?? false);
}
