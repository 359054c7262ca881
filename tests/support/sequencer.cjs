const Sequencer = require("@jest/test-sequencer").default;

/** The projects by how long their longest test takes: started last, it would keep one worker busy alone. */
const ORDER = ["programs", "crashes", "native-crashes", "review", "native", "engine"];

/** The files that take longest, before all others: without an earlier run, jest only knows their sizes. */
const LONGEST = ["documentation/walkthroughs", "documentation/pages", "programs/types"];

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
