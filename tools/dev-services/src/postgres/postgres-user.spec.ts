import { describe, expect, it } from 'vitest';
import { postgresUser } from './postgres-user.js';

const asRoot = process.getuid?.() === 0 ? it : it.skip;
const root = 'root:x:0:0:root:/root:/bin/sh';
const unprivileged = 'unprivileged:x:65534:65533:unprivileged:/:/bin/false';

describe('postgresUser', () => {
  asRoot('is an existing one when this process is root', () => {
    const passwd = `${root}\n${unprivileged}\npostgres:x:101:104::/var/lib/postgresql:/bin/bash\n`;
    expect(postgresUser(() => passwd)).toEqual({ uid: 101, gid: 104 });
    expect(postgresUser(() => `${root}\n${unprivileged}\n`)).toEqual({ uid: 65534, gid: 65533 });
    expect(postgresUser(() => root)).toEqual({ uid: 65534, gid: 65534 });
  });

  (process.getuid?.() === 0 ? it.skip : it)('is our own otherwise', () => {
    expect(postgresUser()).toBeUndefined();
  });
});
