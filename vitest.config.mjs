import swc from 'unplugin-swc';
import { defaultExclude, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

const decorators = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
};

// Packages of this repository are tested as sources, without a build.
const conditions = ['@detector-cluster/source', 'node'];

/** Finds hangs only: a busy machine takes long over what is quick, and no test measures time by this. */
const timeout = (milliseconds) => ({ testTimeout: milliseconds, hookTimeout: milliseconds });

const servers = 'test/servers.mjs';

/** Without known durations, as in every fresh clone, Vitest begins with the largest files. These are small, but take the longest. */
const LONG = /conformance\.int|e2e\/(?:samples\/|worker-conformance|elector|secrets|dashboard\/faults)/;

const isLong = ({ moduleId }) => LONG.test(moduleId);

class LongestFirst extends BaseSequencer {
  async sort(files) {
    return (await super.sort(files)).toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

/** A hundred members in a few processes: beside other tests, they get too little of the processor to work as a group. */
const LARGE = 'test/e2e/group-faults/large-group.e2e.spec.ts';

/** Projects differ in their number of processes, so they run one after the other. */
let groupOrder = 0;

function project(name, include, options) {
  return {
    extends: true,
    test: { name, include, ...options, sequence: { groupOrder: groupOrder++ } },
  };
}

// unit: pure, no server. models: the same, minutes of computation in virtual time. integration: real Redis and Postgres. e2e: built
// applications as processes; large: one of these tests, by itself. chaos: what measures times under faults, with the machine to
// itself. Each adds what it excludes to the common list. The numbers of processes are for two processors: tests with servers mostly
// wait.
export default defineConfig({
  plugins: [swc.vite({ swcrc: false, tsconfigFile: false, ...decorators })],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: 'forks',
    // Test files share the modules of their process. With fresh modules for each file, most of the processor time went into loading.
    isolate: false,
    exclude: [...defaultExclude, '**/dist/**', '**/.package/**'],
    setupFiles: ['test/support/property-tests.mjs'],
    server: { deps: { inline: [/detector-cluster/] } },
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', ['{libs,apps,tools}/*/src/**/*.spec.ts'], {
        exclude: ['**/*.{int,model}.spec.ts'],
        maxWorkers: 2,
        ...timeout(900_000),
      }),
      // Their heaps grow, and a model gets slower with each earlier one in its process.
      project('models', ['libs/*/src/**/*.model.spec.ts'], {
        isolate: true,
        maxWorkers: 2,
        ...timeout(1_800_000),
      }),
      project('integration', ['{libs,apps,tools}/*/src/**/*.int.spec.ts'], {
        globalSetup: servers,
        // The conformance suites use the global functions of a test runner.
        globals: true,
        maxWorkers: 6,
        ...timeout(30_000),
      }),
      project('e2e', ['test/e2e/**/*.spec.ts'], {
        exclude: [LARGE],
        globalSetup: servers,
        maxWorkers: 4,
        ...timeout(30_000),
      }),
      project('large', [LARGE], { globalSetup: servers, maxWorkers: 1, ...timeout(30_000) }),
      project('chaos', ['test/chaos/**/*.spec.ts'], {
        globalSetup: servers,
        // Each file starts clusters of its own, and their times are measured.
        maxWorkers: 2,
        ...timeout(900_000),
      }),
    ],
  },
});
