import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { DiskPace } from "../../../src/integrations/engine/DiskPace.ts"
import { JournalFile } from "../../../src/integrations/engine/JournalFile.ts"
import { SpareFiles } from "../../../src/integrations/engine/SpareFiles.ts"
import { temporaryFolder } from "../../support/folder.ts"

const folder = temporaryFolder("journal-file")

/** A disk that stays quick, however long the machine takes for one write. */
class QuickDisk extends DiskPace {
  override get isQuick() {
    return true
  }
}

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
  it.live("exists with its line as soon as the first line is appended", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "call")
      const file = new JournalFile(path, new QuickDisk(), new SpareFiles(`${path}.spare`))
      const written = file.append("one\n")
      assert.strictEqual(readFileSync(path, "utf8"), "one\n")
      yield* Effect.promise(() => written)
      yield* Effect.promise(() => file.close())
    })
  )

  it.live("keeps the order of lines on a slow disk without blocking the caller", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "call")
      const disk = slowDisk()
      assert.isFalse(disk.isQuick)
      const file = new JournalFile(path, disk, new SpareFiles(`${path}.spare`))
      const lines = Array.from({ length: 50 }, (_, index) => `${index}\n`)
      appendFileSync(path, "")
      const written = lines.map((line) => file.append(line))
      assert.strictEqual(readFileSync(path, "utf8"), "")
      yield* Effect.promise(() => Promise.all(written))
      assert.strictEqual(readFileSync(path, "utf8"), lines.join(""))
      yield* Effect.promise(() => file.close())
    })
  )

  it.live("fails when a line cannot be written, and writes the next line once it can", () =>
    Effect.gen(function* () {
      const parent = yield* folder
      for (const [name, disk] of [["quick", new QuickDisk()] as const, ["slow", slowDisk()] as const]) {
        const inner = join(parent, name)
        const file = new JournalFile(join(inner, "call"), disk, new SpareFiles(join(parent, "spare")))
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

  it.live(
    "is emptied and reused for the next call once it is removed, and an existing file is never given to another call",
    () =>
      Effect.gen(function* () {
        const parent = yield* folder
        const [disk, spares] = [new QuickDisk(), new SpareFiles(join(parent, "spare"))]
        const open = (name: string) => new JournalFile(join(parent, name), disk, spares)
        const read = (name: string) => readFileSync(join(parent, name), "utf8")
        const [first, other] = [open("first"), open("other")]
        yield* Effect.promise(() => first.append("a secret of the first\n"))
        yield* Effect.promise(() => other.append("of the other\n"))
        const { ino } = statSync(join(parent, "first"))
        yield* Effect.promise(() => first.remove())
        assert.throws(() => read("first"))
        assert.deepStrictEqual(
          readdirSync(join(parent, "spare")).map((name) => read(join("spare", name))),
          [""]
        )
        // The file already has lines, as it has after a crash.
        const again = open("other")
        yield* Effect.promise(() => again.append("and more\n"))
        assert.strictEqual(read("other"), "of the other\nand more\n")
        const next = open("next")
        yield* Effect.promise(() => next.append("of the next\n"))
        assert.strictEqual(read("next"), "of the next\n")
        assert.strictEqual(statSync(join(parent, "next")).ino, ino)
        yield* Effect.promise(() => Promise.all([other.close(), again.remove(), next.remove()]))
        spares.clear()
        assert.deepStrictEqual(readdirSync(parent), [])
      })
  )

  it.live("is removed as usual when the folder for spare files cannot be created", () =>
    Effect.gen(function* () {
      const parent = yield* folder
      writeFileSync(join(parent, "spare"), "no folder")
      const file = new JournalFile(join(parent, "call"), new QuickDisk(), new SpareFiles(join(parent, "spare")))
      yield* Effect.promise(() => file.append("one\n"))
      yield* Effect.promise(() => file.remove())
      assert.deepStrictEqual(readdirSync(parent), ["spare"])
    })
  )

  for (const [what, pace] of [
    ["quick", () => new QuickDisk()],
    ["slow", slowDisk]
  ] as const)
    it.live(`on a ${what} disk holds exactly the lines that are appended during its removal`, () =>
      Effect.gen(function* () {
        const parent = yield* folder
        const [path, aside, spare] = [join(parent, "call"), join(parent, "aside"), join(parent, "spare")]
        const spares = new SpareFiles(spare)
        const file = new JournalFile(path, pace(), spares)
        const all = [
          file.append("one\n"),
          file.remove(),
          file.append("two\n"),
          file.append("three\n"),
          file.putAside(aside),
          file.append("four\n"),
          file.remove(),
          file.append("five\n")
        ]
        yield* Effect.promise(() => Promise.all(all))
        yield* Effect.promise(() => file.append("six\n"))
        assert.strictEqual(readFileSync(aside, "utf8"), "two\nthree\n")
        assert.strictEqual(readFileSync(path, "utf8"), "five\nsix\n")
        yield* Effect.promise(() => file.close())
        spares.clear()
      })
    )

  it.live("holds the lines that are appended during its removal when the disk becomes quick again meanwhile", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "call")
      // Slow for the removal, quick for the line after it.
      const disk = new (class extends DiskPace {
        slow = true
        override get isQuick() {
          return !this.slow
        }
      })()
      const file = new JournalFile(path, disk, new SpareFiles(`${path}.spare`))
      yield* Effect.promise(() => file.append("one\n"))
      const removed = file.remove()
      disk.slow = false
      yield* Effect.promise(() => file.append("two\n"))
      yield* Effect.promise(() => removed)
      assert.strictEqual(readFileSync(path, "utf8"), "two\n")
      yield* Effect.promise(() => file.close())
    })
  )

  it.live("is created anew when the spare files have been deleted", () =>
    Effect.gen(function* () {
      const parent = yield* folder
      const spares = new SpareFiles(join(parent, "spare"))
      const open = (name: string) => new JournalFile(join(parent, name), new QuickDisk(), spares)
      const [first, next] = [open("first"), open("next")]
      yield* Effect.promise(() => first.append("one\n"))
      yield* Effect.promise(() => first.remove())
      rmSync(join(parent, "spare"), { recursive: true })
      yield* Effect.promise(() => next.append("two\n"))
      assert.strictEqual(readFileSync(join(parent, "next"), "utf8"), "two\n")
      yield* Effect.promise(() => next.remove())
      spares.clear()
      assert.deepStrictEqual(readdirSync(parent), [])
    })
  )
})
