import Mocha from 'mocha';

/** How many tests are listed. */
const most = 20;

/** Mocha's spec reporter, which also lists the slowest tests at the end. */
class SlowestReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const took: { seconds: number; name: string }[] = [];
    const { EVENT_TEST_PASS, EVENT_RUN_END } = Mocha.Runner.constants;
    runner.on(EVENT_TEST_PASS, (test) => {
      took.push({ seconds: (test.duration ?? 0) / 1000, name: test.fullTitle() });
    });
    runner.on(EVENT_RUN_END, () => {
      const slowest = took.sort((one, other) => other.seconds - one.seconds).slice(0, most);
      console.log(`  the ${slowest.length} slowest tests`);
      for (const { seconds, name } of slowest) console.log(`${seconds.toFixed(1).padStart(8)} s  ${name}`);
      console.log();
    });
  }
}

export = SlowestReporter;
