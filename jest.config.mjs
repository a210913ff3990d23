const common = {
  rootDir: '.',
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@detector-cluster/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.*/\\.package/'],
  setupFiles: ['<rootDir>/test/support/property-tests.mjs'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

const servers = {
  globalSetup: '<rootDir>/test/servers/global-setup.mjs',
  globalTeardown: '<rootDir>/test/servers/global-teardown.mjs',
};

const project = (displayName, testMatch, more = {}) => ({ ...common, displayName, testMatch, ...more });

// unit: pure, no server. models: the same, minutes of computation in virtual time. integration: real Redis and Postgres. e2e: built
// applications as processes. chaos: what measures times under faults, with the machine to itself.
export default {
  testSequencer: '<rootDir>/tools/test-sequencer.mjs',
  // A busy machine takes long over what is quick; no test measures time by this.
  testTimeout: 30_000,
  projects: [
    {
      ...project('unit', ['<rootDir>/{libs,apps,tools}/*/src/**/*.spec.ts']),
      testPathIgnorePatterns: ['/node_modules/', '\\.(int|model)\\.spec\\.ts$'],
    },
    project('models', ['<rootDir>/libs/*/src/**/*.model.spec.ts']),
    project('integration', ['<rootDir>/{libs,apps,tools}/*/src/**/*.int.spec.ts'], servers),
    project('e2e', ['<rootDir>/test/e2e/**/*.spec.ts'], servers),
    project('chaos', ['<rootDir>/test/chaos/**/*.spec.ts'], servers),
  ],
};
