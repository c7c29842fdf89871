import { appendFileSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { DiskPace } from "../../../src/integrations/engine/DiskPace.ts"
import { JournalFile } from "../../../src/integrations/engine/JournalFile.ts"
import { temporaryFolder } from "../../support/folder.ts"

const folder = temporaryFolder("journal-file")

/** A disk that has just made a writer wait. */
const slowDisk = () => {
  const disk = new DiskPace()
  const until = performance.now() + 3
  disk.time(() => {
    while (performance.now() < until);
  })
  return disk
}

describe("a journal file", () => {
  it.live("has a line as soon as it was given one", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "call")
      const file = new JournalFile(path, new DiskPace())
      const written = file.append("one\n")
      assert.strictEqual(readFileSync(path, "utf8"), "one\n")
      yield* Effect.promise(() => written)
      yield* Effect.promise(() => file.close())
    })
  )

  it.live("keeps the order on a disk that makes writers wait, without holding up the caller", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "call")
      const disk = slowDisk()
      assert.isFalse(disk.isQuick)
      const file = new JournalFile(path, disk)
      const lines = Array.from({ length: 50 }, (_, index) => `${index}\n`)
      appendFileSync(path, "")
      const written = lines.map((line) => file.append(line))
      assert.strictEqual(readFileSync(path, "utf8"), "")
      yield* Effect.promise(() => Promise.all(written))
      assert.strictEqual(readFileSync(path, "utf8"), lines.join(""))
      yield* Effect.promise(() => file.close())
    })
  )

  it.live("says that a line could not be written, and writes the next when it can", () =>
    Effect.gen(function* () {
      const parent = yield* folder
      for (const [name, disk] of [["quick", new DiskPace()] as const, ["slow", slowDisk()] as const]) {
        const inner = join(parent, name)
        const file = new JournalFile(join(inner, "call"), disk)
        const failure = yield* Effect.flip(Effect.tryPromise(() => file.append("lost\n")))
        assert.include(String(failure.cause), "ENOENT")
        mkdirSync(inner)
        yield* Effect.promise(() => file.append("kept\n"))
        assert.strictEqual(readFileSync(join(inner, "call"), "utf8"), "kept\n")
        yield* Effect.promise(() => file.remove())
        assert.throws(() => readFileSync(join(inner, "call")))
      }
    })
  )
})
