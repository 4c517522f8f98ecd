import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["tests/global-setup.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: "forks",
    // Files share what they import: each has a server and a database of its own all the same.
    isolate: false,
    // More than there are cores: much of a test is waiting for PostgreSQL, a mail, a page or a process.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      { extends: true, test: { name: "server", include: ["{contract,server,app}/**/*.test.ts", "tests/*.test.ts"] } },
      {
        extends: true,
        test: { name: "process", include: ["tests/process/**/*.test.ts"], testTimeout: 60_000 },
      },
      { extends: true, test: { name: "journeys", include: ["tests/journeys/**/*.test.ts"], testTimeout: 120_000 } },
    ],
  },
});
