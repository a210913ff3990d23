export default () => globalThis.redisOfTests.stop();
