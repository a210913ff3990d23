// The order of the test files. Without known durations, as in every fresh clone, Jest begins with the largest files. Models and
// conformance tests are small files, but take the longest. Models also get slower with each earlier file in their process, because its
// heap grows: at the end of a run they took six times as long as at its beginning.
import TestSequencer from '@jest/test-sequencer';

const isLong = ({ path }) => /(?:\.model|conformance\.int)\.spec\.ts$/.test(path);

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}
