import type { Reporter } from "vitest/node";

/** Lists, at the end of a run, each test that passed only on its retry, with the error of its first attempt. */
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
