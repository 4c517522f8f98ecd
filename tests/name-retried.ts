import type { Reporter } from "vitest/node";

/** Names, at the end of a run, each test that passed only when it was tried again, with what it said the first time. */
export const nameRetried: Reporter = {
  onTestRunEnd(modules) {
    for (const { relativeModuleId, children } of modules)
      for (const test of children.allTests("passed")) {
        if (!test.diagnostic()?.flaky) continue;
        const said = test.result().errors?.map(({ message, diff }) => `\n  ${message}\n${diff ?? ""}`) ?? [];
        console.log(
          `Passed only when tried again, to be mended: ${relativeModuleId} > ${test.fullName}${said.join("")}`,
        );
      }
  },
};
