// Lists the tests that passed at their second attempt, with the error of the first one.
export default class FlakyTests {
  onTestRunEnd(modules) {
    for (const module of modules)
      for (const test of module.children.allTests('passed')) {
        if (!test.diagnostic()?.flaky) continue;
        console.error(`FLAKY ${module.relativeModuleId} > ${test.fullName}`);
        for (const error of test.result().errors ?? []) console.error(error.stack ?? error.message);
      }
  }
}
