import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { readPostmaster, readyPort } from "../../../../src/integrations/postgres/database/Postmaster.ts"

const inFolder = async (check: (data: string, file: string) => Promise<void>) => {
  const data = await mkdtemp(join(tmpdir(), "parley-postmaster-"))
  try {
    await check(data, join(data, "postmaster.pid"))
  } finally {
    await rm(data, { recursive: true })
  }
}
const failed = (run: Promise<unknown>) =>
  run.then(
    () => "nothing",
    (cause) => cause.code
  )

describe("postmaster.pid", () => {
  it("gives the process, and the port once the database is ready", () =>
    inFolder(async (data, file) => {
      await writeFile(file, ["4711", data, "0", "5433", "", "", "", "starting"].join("\n"))
      assert.deepStrictEqual([await readPostmaster(data), await readyPort(data)], [4711, undefined])
      await writeFile(file, ["4711", data, "0", "5433", "", "", "", "ready   "].join("\n"))
      assert.strictEqual(await readyPort(data), 5433)
    }))

  it("means that no database runs here when it does not exist", () =>
    inFolder(async (data) => {
      assert.deepStrictEqual([await readPostmaster(data), await readyPort(data)], [undefined, undefined])
    }))

  it("causes an error when it exists but cannot be read", () =>
    inFolder(async (data, file) => {
      await mkdir(file)
      assert.deepStrictEqual([await failed(readPostmaster(data)), await failed(readyPort(data))], ["EISDIR", "EISDIR"])
    }))
})
