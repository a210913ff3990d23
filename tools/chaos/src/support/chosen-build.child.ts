// The backend whose script a file names, so that a process can be replaced by one of another build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { BUILDS, IDENTIFIER } = process.env;
await import(pathToFileURL(readFileSync(join(BUILDS!, IDENTIFIER!), 'utf8')).href);
