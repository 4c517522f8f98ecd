import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { nameRetried } from "./tests/name-retried.ts";
import { keepTemporaryFilesInMemory } from "./tests/temporary-folder.ts";

keepTemporaryFilesInMemory();

export default defineConfig({
  test: {
    globalSetup: ["tests/global-setup.ts"],
    // Limits for what never comes, not for what is slow: a busy machine may take its time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Less than the minute after which a kept page is looked at again, which must not pass for news that was heard.
    expect: { poll: { timeout: 30_000 } },
    reporters: ["default", nameRetried],
    pool: "forks",
    // Files share what they import: each has a server and a database of its own all the same.
    isolate: false,
    // More than two for a core: about half of a test is waiting for PostgreSQL, a process, a mail or a page.
    maxWorkers: Math.max(5, availableParallelism() - 1),
    projects: [
      { extends: true, test: { name: "server", include: ["{contract,server,app}/**/*.test.ts", "tests/*.test.ts"] } },
      {
        extends: true,
        test: {
          // Processes are mostly waited for, and browsers keep a core busy: side by side they take half the time.
          name: "product",
          include: ["tests/{process,journeys}/**/*.test.ts"],
          globalSetup: ["tests/build-first.ts"],
          // A browser or a process beside others comes too late once in ten thousand times; each is named at the end.
          retry: 1,
        },
      },
    ],
  },
});
