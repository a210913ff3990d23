// Ends a worker process of Jest as soon as it has nothing left to do. Otherwise Node first frees the contexts of all test files. On a
// loaded machine that takes longer than the 500 ms that Jest allows, and Jest reports leaks that do not exist. A worker with an open
// handle never reaches this point, so Jest still reports a real leak.
if (process.argv[1]?.includes('jest-worker')) process.on('beforeExit', () => process.exit());
