/** Closes a run with one plain line that counts its tests. */
class CountReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = results;
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
    this.line = `${numPassedTests} passed, ${failed} failed${skipped}`;
    process.on("exit", () => console.log(this.line));
  }
}

module.exports = CountReporter;
