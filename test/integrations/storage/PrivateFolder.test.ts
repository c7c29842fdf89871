import { chmod, mkdir, stat, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { closeToOthers } from "../../../src/integrations/storage/PrivateFolder.ts"
import { temporaryFolder } from "../../support/folder.ts"

const modeOf = (path: string) =>
  Effect.map(
    Effect.promise(() => stat(path)),
    ({ mode }) => mode & 0o777
  )

describe("the data folder", () => {
  it.live("is closed to other users of the host with everything that is in it from before", () =>
    Effect.gen(function* () {
      const outer = yield* temporaryFolder("private")
      const dataDir = join(outer, "data")
      const files = ["recordings/a.wav", "objects/media/org/b", "demo/objects/c", "encryption-keys"].map((name) =>
        join(dataDir, name)
      )
      const database = join(dataDir, "demo/postgres/cluster/PG_VERSION")
      const elsewhere = join(outer, "elsewhere")
      yield* Effect.promise(async () => {
        for (const file of [...files, database]) {
          await mkdir(dirname(file), { recursive: true })
          await writeFile(file, "x")
          await chmod(file, 0o644)
          await chmod(dirname(file), 0o755)
        }
        await chmod(join(dataDir, "objects"), 0o755)
        await writeFile(elsewhere, "x")
        await chmod(elsewhere, 0o644)
        await symlink(elsewhere, join(dataDir, "recordings/link"))
      })
      yield* closeToOthers(dataDir)
      for (const file of files) assert.strictEqual(yield* modeOf(file), 0o600, file)
      for (const folder of ["recordings", "objects", "objects/media", "objects/media/org", "demo/objects"])
        assert.strictEqual(yield* modeOf(join(dataDir, folder)), 0o700, folder)
      // Nobody can list what is on the way to the database.
      for (const folder of [dataDir, join(dataDir, "demo")])
        assert.strictEqual((yield* modeOf(folder)) & 0o066, 0, folder)
      assert.deepStrictEqual([yield* modeOf(database), yield* modeOf(elsewhere)], [0o644, 0o644])
      // A folder that does not exist yet is made.
      yield* closeToOthers(join(outer, "new"))
      assert.strictEqual((yield* modeOf(join(outer, "new"))) & 0o066, 0)
    })
  )
})
