// The order of the test files. Without known durations, as in every fresh clone, Jest begins with the largest files. The models
// are small files, but take the longest. They also get slower with each earlier file in their process, because its heap grows:
// at the end of a run they took six times as long as at its beginning.
import TestSequencer from '@jest/test-sequencer';

const isModel = ({ path }) => path.endsWith('.model.spec.ts');

export default class ModelsFirst extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => Number(isModel(b)) - Number(isModel(a)));
  }
}
