// eslint-disable-next-line @typescript-eslint/no-require-imports -- Mocha loads this file as CommonJS
const { availableParallelism } = require('node:os');

module.exports = {
  require: ['tsx', './test/prepare.mjs'],
  timeout: 60_000,
  // Mocha leaves one processor free, so on two processors only one test file runs at a time. .ci/run wants that.
  ...(process.env.CAPTIOUS_TEST_BESIDE ? {} : { jobs: Math.max(2, availableParallelism() - 1) }),
};
