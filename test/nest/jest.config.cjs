// The wiring of the modules, tested as most applications of Nest test theirs. The packages are loaded as they are published: from
// `dist`, with the transform of docs/jest-and-commonjs.md.
const commonjs = { swcrc: false, jsc: { target: 'es2023' }, module: { type: 'commonjs' } };

module.exports = {
  testRegex: '.*\\.spec\\.ts$',
  testEnvironment: 'node',
  testTimeout: 60_000,
  maxWorkers: 2,
  globalSetup: '<rootDir>/redis.mjs',
  globalTeardown: '<rootDir>/redis-end.mjs',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        ...commonjs,
        jsc: {
          ...commonjs.jsc,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      },
    ],
    '^.+\\.js$': ['@swc/jest', commonjs],
  },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transformIgnorePatterns: ['/node_modules/(?!(@detector-cluster|@nestjs)/)'],
};
