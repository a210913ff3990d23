import { describe, expect, it } from 'vitest';
import { parseCsv } from './csv.js';

const cellsOf = (text: string) => parseCsv(text).map(({ cells }) => cells);

describe('parseCsv', () => {
  it.each([
    ['a,b\n1,2\n'],
    ['a;b\r\n1;2'],
    ['a\tb\n1\t2'],
    ['\uFEFFa,b\n\n , \n1,2\n\n'],
    ['"a","b"\n "1" ,2'],
  ])('reads %j', (text) => {
    expect(cellsOf(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('keeps separators, quotes and line breaks in quotes', () => {
    expect(cellsOf('a,b\n"x,y","say ""hi""\nthere"')[1]).toEqual(['x,y', 'say "hi"\nthere']);
    expect(cellsOf('a,b\n"",""""')[1]).toEqual(['', '"']);
    expect(cellsOf('a,b\nin "the" middle,2')[1]).toEqual(['in "the" middle', '2']);
  });

  it('knows the line of each record, also after a cell of several lines', () => {
    expect(parseCsv('a,b\n\n"x\ny\nz",1\n2,3\n').map(({ line }) => line)).toEqual([1, 3, 6]);
  });

  it('names the line of a quote without an end', () => {
    expect(() => parseCsv('a,b\n1,"2\n3,4\n')).toThrow('line 2: a quote has no end');
  });

  it('reads nothing from nothing', () => {
    expect(parseCsv('\n \n')).toEqual([]);
  });
});
