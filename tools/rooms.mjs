// Fails on imports that run up: a folder of a library may import only the folders before it in `tools/rooms.json`. So no two folders
// import each other, and each can be read with those before it. Files beside the folders are above all of them. Tests are free.
// `node tools/rooms.mjs [root]`
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const order = JSON.parse(readFileSync(join(root, 'tools/rooms.json'), 'utf8'));

const TEST = /\.spec\.ts$|\.fixture\.ts$|(^|\/)(test-support|scenarios)\//;

/** The name of the folder; '' for files beside the folders. */
const roomOf = (file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '');

/** Imports between the folders of a library: `from`, `to` and the file that imports. */
function arrowsOf(library) {
  const source = join(root, 'libs', library, 'src');
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !TEST.test(file))
    .flatMap((file) =>
      ts
        .preProcessFile(readFileSync(join(source, file), 'utf8'), true, true)
        .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => normalize(join(dirname(file), fileName)).replaceAll('\\', '/'))
        .map((target) => ({ from: roomOf(file), to: roomOf(target), file })),
    )
    .filter(({ from, to }) => from !== to);
}

const problems = new Set();
for (const library of readdirSync(join(root, 'libs'))) {
  const rooms = order[library];
  if (rooms === undefined) {
    problems.add(`libs/${library}: enter the order of its folders in tools/rooms.json`);
    continue;
  }
  const heightOf = (room) => (room === '' ? rooms.length : rooms.indexOf(room));
  for (const { from, to, file } of arrowsOf(library)) {
    const missing = [from, to].find((room) => heightOf(room) < 0);
    if (missing !== undefined)
      problems.add(`libs/${library}/src/${missing}: enter the folder in tools/rooms.json`);
    else if (heightOf(to) >= heightOf(from))
      problems.add(
        `libs/${library}/src/${file} imports ${to === '' ? 'a file beside the folders' : `${to}/`}, which is above ${from}/`,
      );
  }
}
for (const problem of problems) console.error(problem);
if (problems.size > 0) process.exit(1);
console.log(`${Object.keys(order).length} libraries: each folder imports only those before it`);
