import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import * as FolderOwner from "../../../src/integrations/storage/FolderOwner.ts"
import { temporaryFolder } from "../../support/folder.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

const module = resolve(import.meta.dirname, "../../../src/integrations/storage/FolderOwner.ts")

/** Starts another process that owns the folder until the process is killed. */
const otherOwner = (folder: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const program = `import { claim } from ${JSON.stringify(module)}
        console.log(await claim(${JSON.stringify(folder)}))
        setInterval(() => undefined, 1_000)`
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      assert.strictEqual(String(await once(child.stdout, "data")).trim(), "true")
      return child
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

const owner = (folder: string) => `${folder}/owner`
const claimFile = (folder: string): Record<string, unknown> => JSON.parse(readFileSync(owner(folder), "utf8"))

/** Whether this process could take the folder, and how long that took. */
const tried = (folder: string) =>
  Effect.gen(function* () {
    const began = performance.now()
    const exit = yield* Effect.exit(Effect.scoped(Layer.build(FolderOwner.layer(folder))))
    return { had: Exit.isSuccess(exit), said: String(exit), ms: performance.now() - began }
  })

describe("a folder of one process", () => {
  it.live("cannot be taken while its owner lives, and can be taken at once after the owner is killed", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("owner")
      const other = yield* otherOwner(folder)
      const refused = yield* tried(folder)
      assert.isFalse(refused.had)
      assert.include(refused.said, `Another process is at work in ${folder}`)
      other.kill("SIGKILL")
      yield* Effect.promise(() => once(other, "exit"))
      const { had, ms } = yield* tried(folder)
      assert.isTrue(had)
      assert.isBelow(ms, 1_000)
      // The owner has released the folder, so no file is left.
      assert.deepStrictEqual(readdirSync(folder), [])
    }).pipe(Effect.scoped)
  )

  it.live("cannot be taken twice by the same process", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("owner")
      yield* Layer.build(FolderOwner.layer(folder))
      assert.isFalse((yield* tried(folder)).had)
    }).pipe(Effect.scoped)
  )

  it.live("does not belong to a process that merely has the id of its former owner", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("owner")
      const other = yield* otherOwner(folder)
      const left = claimFile(folder)
      other.kill("SIGKILL")
      writeFileSync(owner(folder), JSON.stringify({ ...left, pid: process.ppid }))
      const { had, ms } = yield* tried(folder)
      assert.isTrue(had)
      assert.isBelow(ms, 1_000)
    }).pipe(Effect.scoped)
  )

  it.live("stays with an owner in another container as long as the owner renews its file", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("owner")
      // Here the owner's process id belongs to another process: this one.
      writeFileSync(owner(folder), JSON.stringify({ pid: process.pid, started: "1", place: "elsewhere" }))
      const beat = setInterval(() => utimesSync(owner(folder), new Date(), new Date()), 1_000)
      assert.isFalse((yield* tried(folder)).had)
      clearInterval(beat)
      assert.isTrue((yield* tried(folder)).had)
    }).pipe(Effect.scoped)
  )

  it.live("has its file renewed by its owner", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("owner")
      yield* otherOwner(folder)
      // The file as another container sees it.
      writeFileSync(owner(folder), JSON.stringify({ ...claimFile(folder), place: "elsewhere" }))
      assert.isFalse((yield* tried(folder)).had)
    }).pipe(Effect.scoped)
  )

  it.live("is free when a power failure left its file incomplete", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("owner")
      writeFileSync(owner(folder), "")
      assert.isTrue((yield* tried(folder)).had)
    }).pipe(Effect.scoped)
  )

  it.live("goes to one of many processes that start at the same time after a crash", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("owner")
      writeFileSync(owner(folder), JSON.stringify({ pid: 2 ** 22 - 1, started: "1" }))
      const claims = yield* Effect.promise(() =>
        Promise.all(Array.from({ length: 20 }, () => FolderOwner.claim(folder)))
      )
      assert.lengthOf(
        claims.filter((had) => had),
        1
      )
      yield* Effect.promise(() => FolderOwner.release(folder))
    }).pipe(Effect.scoped)
  )
})
