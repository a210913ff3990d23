// The order of the test files. Jest begins with the largest where it knows no durations, as on every fresh clone; these small
// ones take the longest, and would otherwise be what one process is still busy with while the other has nothing left to do.
import sequencer from '@jest/test-sequencer';

const first = [
  /\.model\.spec\.ts$/,
  /chaos\.e2e\.spec\.ts$/,
  /frozen\.e2e\.spec\.ts$/,
  /conformance\.int\.spec\.ts$/,
];

const rank = ({ path }) => {
  const index = first.findIndex((pattern) => pattern.test(path));
  return index === -1 ? first.length : index;
};

export default class LongestFirst extends sequencer.default {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
