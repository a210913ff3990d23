import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseWorkerMessage } from './frames.js';
import { WorkerMessageReader } from './worker-message-reader.js';

const connection = fc.record({
  subscriptionIdentifier: fc.constantFrom('d;1', 'd;2', 'd;"[]', 'd;\\'),
  modelId: fc.nat(3),
  modelName: fc.string(),
  online: fc.boolean(),
});
const lists = fc.array(fc.array(connection, { maxLength: 3 }), { minLength: 1, maxLength: 2 });
const report = (cameraConnections: unknown, cpuUsage: number, more: object = {}) =>
  JSON.stringify({ type: 'stateReport', cpuUsage, memoryUsage: 1, cameraConnections, ...more });

describe('WorkerMessageReader', () => {
  it('reads every frame independently of earlier ones', () => {
    const nested = fc.constantFrom(
      {},
      { more: { cameraConnections: [] } },
      { text: '"cameraConnections":[' },
    );
    const frames = lists.chain((known) =>
      fc.array(
        fc.oneof(
          fc
            .record({ list: fc.constantFrom(...known), cpu: fc.nat(9), more: nested, space: fc.nat(1) })
            .map(({ list, cpu, more, space }) => {
              const text = report(list, cpu, more);
              return space === 0 ? text : text.replace('"cameraConnections":', '"cameraConnections": ');
            }),
          fc.constantFrom(...known).map((list) => report(list, 1).slice(0, -3)),
          fc.constantFrom(...known).map((list) => report(list, -1)),
          // The last of two keys counts.
          fc.tuple(fc.constantFrom(...known), fc.constantFrom(...known)).map(([a, b]) => {
            const text = JSON.stringify(b);
            const key = b.length === 1 ? '"cameraConnections" ' : '"\\u0063ameraConnections"';
            return `${report(a, 1).slice(0, -1)},${key}:${text}}`;
          }),
        ),
        { maxLength: 12 },
      ),
    );
    fc.assert(
      fc.property(frames, (texts) => {
        const reader = new WorkerMessageReader();
        for (const text of texts) {
          const frame = Buffer.from(text);
          expect(reader.read(frame)).toEqual(parseWorkerMessage(Buffer.from(text)));
          // Frames share memory that is reused.
          frame.fill(0);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('does not parse an unchanged list again', () => {
    const list = Array.from({ length: 100 }, (_, i) => ({
      subscriptionIdentifier: `d;${i}`,
      modelId: 1,
      modelName: 'm',
      online: true,
    }));
    const reader = new WorkerMessageReader();
    const listOf = (text: string) => {
      const result = reader.read(Buffer.from(text));
      return result.ok && result.message.type === 'stateReport' ? result.message.cameraConnections : null;
    };
    const first = listOf(report(list, 1));
    const parsing = vi.spyOn(JSON, 'parse');
    expect(listOf(report(list, 2))).toBe(first);
    const parsed = parsing.mock.calls.map(([text]) => text);
    parsing.mockRestore();
    expect(parsed.every((text) => text.length < 200)).toBe(true);
    expect(listOf(report(list.slice(1), 2))).toEqual(list.slice(1));
  });
});
