const Sequencer = require("@jest/test-sequencer").default;

/** The projects by how long their longest test takes: started last, it would keep one worker busy alone. */
const ORDER = ["programs", "crashes", "native-crashes", "review", "native", "engine", "site"];

module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ context }) => {
      const place = ORDER.indexOf(context.config.displayName.name);
      return place === -1 ? ORDER.length : place;
    };
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};
