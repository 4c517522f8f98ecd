import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { nameRetried } from "./tests/name-retried.ts";
import { keepTemporaryFilesInMemory } from "./tests/temporary-folder.ts";

keepTemporaryFilesInMemory();

export default defineConfig({
  test: {
    globalSetup: ["tests/global-setup.ts"],
    // Limits for what never happens, not for what is slow: a busy machine may take its time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Less than the minute after which a kept page is checked again, so that this can't pass for a notification
    // received.
    expect: { poll: { timeout: 30_000 } },
    reporters: ["default", nameRetried],
    pool: "forks",
    // Test files share their imports; each has a server and a database of its own nevertheless.
    isolate: false,
    // At least five, even on two cores: about half of a test is waiting for PostgreSQL, a process, a mail or a page.
    maxWorkers: Math.max(5, availableParallelism() - 1),
    projects: [
      { extends: true, test: { name: "server", include: ["{contract,server,app}/**/*.test.ts", "tests/*.test.ts"] } },
      {
        extends: true,
        test: {
          // Process tests mostly wait and browsers keep a core busy: side by side they take half the time.
          name: "product",
          include: ["tests/{process,journeys}/**/*.test.ts"],
          globalSetup: ["tests/build-first.ts"],
          // On a busy machine, a browser or a process is late about once in ten thousand times; the end of the run
          // names each such test.
          retry: 1,
        },
      },
    ],
  },
});
