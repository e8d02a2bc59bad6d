import Mocha from 'mocha';

/** Mocha's spec reporter, which also prints why a test is retried. */
class RetryReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on(Mocha.Runner.constants.EVENT_TEST_RETRY, (test, error) => {
      console.log(`    retried: ${test.fullTitle()}\n${error.stack ?? error.message}`);
    });
  }
}

export = RetryReporter;
