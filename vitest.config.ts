import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/setup.ts"],
    // Conversations are spoken at the speed of speech, passwords are hashed slowly: on a machine that is shared that adds up.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Only what `test/support/Slowness.ts` has proven.
    retry: { count: 2, condition: /^the machine was too slow/ },
    pool: "forks",
    maxWorkers: 2
  }
})
