import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  databaseUser,
  findBinaries,
  runnerFor
} from "../../../../src/integrations/postgres/database/PostgresBinaries.ts"

/** A folder that only its owner can open, as `mktemp -d` creates it. */
const privateFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "parley-private-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("PostgreSQL's programs", () => {
  it.live("run from a checkout in a folder that only its owner can open", () =>
    Effect.gen(function* () {
      const folder = yield* privateFolder
      const binaries = yield* Effect.promise(findBinaries)
      const native = dirname(dirname(binaries.initdb))
      cpSync(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true })
      const initdb = join(folder, "native", "bin", "initdb")
      const data = join(folder, "data")
      mkdirSync(data)
      const user = yield* Effect.promise(databaseUser)
      if (user !== undefined) chownSync(data, user.uid, user.gid)

      const run = yield* Effect.promise(() => runnerFor(user, initdb, data))
      const output = yield* Effect.promise(() => run(initdb, [`--pgdata=${data}`, "--username=postgres"]))

      assert.include(output, "Success")
    })
  )
})
