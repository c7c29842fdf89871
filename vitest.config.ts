import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/support/LongestFirst.ts"
import { patience } from "./test/support/patience.ts"
import { testFiles } from "./test/support/TestKinds.ts"

// Which file belongs to which project follows from what it imports: `TestKinds.ts` says how.
const { fast, service, stories } = testFiles()

/** What tests of the whole share: a PostgreSQL and a Redis. */
const servers = { globalSetup: ["test/support/global-setup.ts"] }

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    projects: [
      {
        extends: true,
        test: {
          name: "stories",
          include: [...stories],
          ...servers,
          // They wait more than they compute: more of them than cores. Each has a service, a database and callers of its own. Nine at once are late
          // seldom; twenty are late, fail for it, and are run again.
          isolate: false,
          maxWorkers: 3,
          maxConcurrency: 3,
          // A fault of the product shows itself each time. What passes only when it is played again is told at the end (`support/FailedTests.ts`).
          retry: 2,
          sequence: { groupOrder: 1 }
        }
      },
      {
        extends: true,
        test: {
          name: "service",
          include: [...service],
          ...servers,
          // To load the service takes longer than most of these files: its modules stay for the next file. Beside the stories (`test/all.ts`) they get
          // what those leave of the processor, which may be a quarter of a core.
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 2 }
        }
      },
      {
        extends: true,
        test: {
          name: "fast",
          include: [...fast],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 }
        }
      }
    ],
    setupFiles: ["test/support/setup.ts"],
    // Conversations are spoken at the speed of speech, on a machine that is shared. No wait within a test (`patience`) is longer.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What comes at once on a machine that has nothing else to do.
    expect: { poll: { timeout: patience * 1_000 } },
    // Only what `test/support/Slowness.ts` has proven.
    retry: { count: 2, condition: /^the machine was too slow/ }
  }
})
