/** The package as somebody installs it: types, plain Node, and the examples of its README against the real service. */
import { execFile, spawn } from "node:child_process"
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { comesAbout } from "../support/eventually.ts"
import { temporaryFolder } from "../support/folder.ts"
import { startWebhooks, type Webhooks } from "../support/webhooks.ts"

const root = resolve(import.meta.dirname, "../..")
const source = join(root, "clients/typescript")
const run = promisify(execFile)
const npm = (folder: string, ...words: ReadonlyArray<string>) =>
  run("npm", [...words, "--no-audit", "--no-fund", "--offline", "--cache", join(folder, ".npm")], { cwd: folder })

/** An empty project into which the packed client is installed. */
const installed = Effect.gen(function* () {
  const folder = yield* temporaryFolder("client")
  yield* Effect.promise(async () => {
    await run("npm", ["pack", "--pack-destination", folder, "--cache", join(folder, ".npm")], { cwd: source })
    const tarball = (await readdir(folder)).find((file) => file.endsWith(".tgz"))
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "customer", type: "module", private: true }))
    await npm(folder, "install", `./${tarball}`)
  })
  return folder
})

const check = (folder: string, compilerOptions: object) =>
  writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { target: "ES2022", module: "NodeNext", strict: true, noEmit: true, ...compilerOptions },
      include: ["*.ts"]
    })
  ).then(() => run(process.execPath, [join(root, "node_modules/typescript/lib/tsc.js"), "-p", folder], { cwd: folder }))

interface Example {
  readonly code: string
  readonly prints: ReadonlyArray<string>
}

const examples = async (): Promise<ReadonlyArray<Example>> => {
  const readme = await readFile(join(source, "README.md"), "utf8")
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => ({
    code,
    prints: [...code.matchAll(/\/\/ prints: (.*)$/gm)].map(([, text]) => text)
  }))
}

describe("the packed client", () => {
  it.live("has JavaScript and types, no TypeScript sources, and needs no other package", () =>
    Effect.gen(function* () {
      const folder = yield* installed
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(
          (await readdir(join(folder, "node_modules"))).filter((name) => !name.startsWith(".")),
          ["@parley"]
        )
        const files = await readdir(join(folder, "node_modules/@parley/client"), { recursive: true })
        assert.include(files, "dist/index.js")
        assert.include(files, "dist/generated/types.d.ts")
        assert.include(files, "README.md")
        assert.deepStrictEqual(
          files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts")),
          []
        )
        const code = `import { Parley, verifyWebhook } from "@parley/client"
const client = new Parley({ apiKey: "mk_1", baseUrl: "http://127.0.0.1:9", retries: 0 })
const error = await client.status.get().catch((cause) => cause)
console.log(error.name, typeof verifyWebhook, Object.keys(client).length > 20)`
        await writeFile(join(folder, "plain.mjs"), code)
        const { stdout } = await run(process.execPath, ["--no-experimental-strip-types", "plain.mjs"], { cwd: folder })
        assert.strictEqual(stdout.trim(), "ConnectionError function true")
      })
    }).pipe(Effect.scoped)
  )

  it.live("type-checks in pages and in Node, also with the strictest settings, and refuses what is wrong", () =>
    Effect.gen(function* () {
      const folder = yield* installed
      yield* Effect.promise(async () => {
        const use = `import { type Contact, type Event, type Listed, Parley } from "@parley/client"
const client = new Parley({ baseUrl: "https://parley.example.com" })
export const name = async (id: string): Promise<string | null> => (await client.contacts.get(id)).name
export const all: Listed<Contact> = client.contacts.list({ limit: 100 })
export const isCall = (event: Event): boolean => event.type === "call.ended" && event.data.call.endReason === "silence"
`
        await writeFile(join(folder, "use.ts"), use)
        const strict = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false }
        await check(folder, { ...strict, lib: ["ES2022", "DOM", "DOM.Iterable"], types: [] })
        await mkdir(join(folder, "node_modules/@types"), { recursive: true })
        for (const name of ["@types/node", "undici-types"])
          await symlink(join(root, "node_modules", name), join(folder, "node_modules", name))
        await check(folder, { ...strict, lib: ["ES2022"], types: ["node"] })
        await writeFile(
          join(folder, "wrong.ts"),
          `${use}export const wrong = () => client.contacts.create({ phone: 1, nickname: "x" })\n`
        )
        const refused = await check(folder, { lib: ["ES2022"], types: ["node"] }).catch((cause) => cause)
        assert.match(refused.stdout, /wrong\.ts.*'number' is not assignable to type 'string'/)
      })
    }).pipe(Effect.scoped)
  )
})

/** Runs an example until it has printed as many lines as it should, or has ended. `nudge` is called again and again meanwhile. */
const play = async (
  folder: string,
  file: string,
  env: Readonly<Record<string, string>>,
  lines: number,
  nudge: () => Promise<unknown>
) => {
  const child = spawn(process.execPath, [file], { cwd: folder, env: { ...process.env, ...env } })
  let [output, problems] = ["", ""]
  child.stdout.on("data", (data) => (output += data))
  child.stderr.on("data", (data) => (problems += data))
  const ended = new Promise<void>((done) => child.on("close", () => done()))
  const printed = () => output.split("\n").slice(0, -1)
  try {
    await comesAbout("the example has printed its lines", async () => {
      if (printed().length >= lines || child.exitCode !== null) return true
      await nudge()
      return false
    })
  } finally {
    child.kill()
    await ended
  }
  return { printed: printed(), problems }
}

describe("the examples of the client's README", () => {
  it.live("type-check, and print what they say", () =>
    Effect.gen(function* () {
      const folder = yield* installed
      const webhooks: Webhooks = yield* startWebhooks()
      yield* webhooks.worker
      yield* Effect.promise(async () => {
        const { world, tenant, contact } = webhooks
        const us = await tenant()
        const port = await freePort()
        const env = { PARLEY_API_KEY: us.key, PARLEY_URL: world.base, PORT: `${port}` }
        const all = await examples()
        assert.isAbove(all.length, 6)
        for (const [at, { code }] of all.entries()) await writeFile(join(folder, `example${at}.ts`), code)
        await mkdir(join(folder, "node_modules/@types"), { recursive: true })
        for (const name of ["@types/node", "undici-types"])
          await symlink(join(root, "node_modules", name), join(folder, "node_modules", name))
        await check(folder, { lib: ["ES2022"], types: ["node"], noEmit: false })
        /** An endpoint at the example's server, from now on. */
        const endpoint = async () =>
          String((await webhooks.call(us, "POST", "", { url: `http://127.0.0.1:${port}` })).body.secret)
        let told = false
        const nudges: ReadonlyArray<readonly [word: string, nudge: () => Promise<unknown>]> = [
          [
            "createServer",
            async () => {
              const listens = await fetch(`http://127.0.0.1:${port}`).then(
                () => true,
                () => false
              )
              if (listens && !told) await contact(us, "Meera Nair")
              told = listens
            }
          ],
          // The stream begins when it is open, and nobody says when that is.
          ["events.stream", () => contact(us, "Ravi Iyer")]
        ]
        for (const [at, { code, prints }] of all.entries()) {
          const given = code.includes("WEBHOOK_SECRET") ? { ...env, WEBHOOK_SECRET: await endpoint() } : env
          const [, nudge = async () => {}] = nudges.find(([word]) => code.includes(word)) ?? []
          const { printed, problems } = await play(folder, `example${at}.js`, given, prints.length, nudge)
          assert.deepStrictEqual({ at, printed, problems }, { at, printed: [...prints], problems: "" })
        }
      })
    }).pipe(Effect.scoped)
  )
})
