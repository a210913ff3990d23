import { describe, expect, it } from 'vitest';
import { changesData } from './change-filter.js';

describe('changesData', () => {
  it.each([
    'UPDATE "Camera" SET "rtspUrl" = \'x\'',
    '  insert into x values (1)',
    'with gone as (delete from x returning *) select * from gone',
    'select 1; delete from x',
    'select a, b into x from y',
    'TRUNCATE x',
    'merge into x using y on true when matched then delete',
    '/* select */ update x set a = 1',
    '-- select\nupdate x set a = 1',
    'call refresh_all()',
    'do $$ begin perform 1; end $$',
    // Texts whose end another reader of SQL would see elsewhere.
    String.raw`with q as (select E'\'' as a), w as (update x set a = 'b' returning 1) select a, 'c' from q`,
    `with q as (select $$'$$ as a), w as (delete from x where a = 'b' returning 1) select a from q`,
    `with q as (select $t$'$t$ as a), w as (insert into x values ('b') returning 1) select a from q`,
  ])('%s: yes', (sql) => {
    expect(changesData([sql])).toBe(true);
  });

  it.each([
    'select * from "Camera"',
    'SHOW server_version',
    'select \'delete from x\' as "update"',
    "select 'it''s an update'",
    '-- update x\nselect 1',
    'select /* insert */ 1',
    'explain select 1',
    'select "updatedAt", updated_at, is_deleted from x',
    "select 'update' where a = $1 and b = $2",
  ])('%s: no', (sql) => {
    expect(changesData([sql])).toBe(false);
  });

  it('reads every form in which Prisma passes SQL', () => {
    const template = Object.assign(['update x set a = ', ''], { raw: [] });
    expect(changesData([template, 5])).toBe(true);
    expect(changesData({ strings: ['select ', ''], values: [1] })).toBe(false);
    expect(changesData([{ strings: ['select ', ''], values: ['update'] }])).toBe(false);
    expect(changesData({ sql: 'select 1' })).toBe(false);
    expect(changesData('select 1')).toBe(false);
  });

  it.each([[undefined], [null], [5], [{}], [[]], [[5]]])('takes %j for a write', (args) => {
    expect(changesData(args)).toBe(true);
  });

  it('reads a text of many megabytes', () => {
    expect(changesData([`select '${'update '.repeat(3_000_000)}'`])).toBe(false);
  });
});
