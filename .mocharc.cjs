// eslint-disable-next-line @typescript-eslint/no-require-imports -- Mocha loads this file as CommonJS
const { availableParallelism } = require('node:os');

module.exports = {
  require: ['tsx', './test/prepare.mjs'],
  timeout: 60_000,
  // Mocha would leave one processor free, so on two processors only one test file would run at a time.
  // .ci/run, which runs another lane at the same time, sets its own number.
  jobs: Number(process.env.CAPTIOUS_TEST_JOBS) || Math.max(2, availableParallelism() - 1),
};
