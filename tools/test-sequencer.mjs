// The order of the test files. Jest begins with the largest where it knows no durations, as on every fresh clone; the models
// are small files that take the longest. They also suffer from what ran before them in their process, whose heap grows with
// every file: at the end of a run they took six times as long as at its beginning.
import TestSequencer from '@jest/test-sequencer';

const isModel = ({ path }) => path.endsWith('.model.spec.ts');

export default class ModelsFirst extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => Number(isModel(b)) - Number(isModel(a)));
  }
}
