/**
 * A real database for a test file: all tables, no rows, dropped at the end.
 *
 *   layer(Repositories.layer({ keyRing }).pipe(Layer.provideMerge(testDatabase)))("phone numbers", (it) => { … })
 */
import { Effect } from "effect"
import { inject } from "vitest"
import { copyTemplate } from "./template.ts"

/** Administrator's URL of a fresh migrated database, for tests that start the whole service. Dropped with the scope. */
export const freshDatabaseUrl = Effect.suspend(() => {
  const { adminUrl, template } = inject("postgres")
  return copyTemplate(adminUrl, template)
})
