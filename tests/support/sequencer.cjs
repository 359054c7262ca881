const Sequencer = require("@jest/test-sequencer").default;

/**
 * Projects with long tests start first: a long test that starts last would keep one worker busy
 * while others wait.
 */
const ORDER = ["programs", "crashes", "native-crashes", "review", "native", "engine"];

/**
 * The files that take longest, before all others: without an earlier run, jest only knows their
 * sizes.
 */
const LONGEST = [
  "documentation/walkthroughs",
  "documentation/pages",
  "programs/types",
  "faults/model/model",
  "faults/matrix",
];

module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ context, path }) => {
      const long = LONGEST.findIndex((name) => path.endsWith(`/${name}.test.ts`));
      if (long !== -1) return long - LONGEST.length;
      const place = ORDER.indexOf(context.config.displayName.name);
      return place === -1 ? ORDER.length : place;
    };
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};
