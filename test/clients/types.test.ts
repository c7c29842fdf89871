/** The generated types fit what the description shows: every example of a body and of an answer is of the type that its method takes or gives. */
import { execFile } from "node:child_process"
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { clientOf } from "../../clients/generator/ClientGroups.ts"
import { type Content, currentDocument, operationsOf } from "../../clients/generator/OpenApiDocument.ts"

const root = resolve(import.meta.dirname, "../..")

interface Shown extends Content {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** The examples of a body in JSON. */
const examplesIn = (content: Readonly<Record<string, Content>> | undefined): ReadonlyArray<unknown> => {
  const shown: Shown | undefined = content?.["application/json"]
  if (shown === undefined) return []
  const named = Object.values(shown.examples ?? {}).map(({ value }) => value)
  return shown.example === undefined ? named : [shown.example, ...named]
}

const document = currentDocument()
const described = new Map(operationsOf(document).map(({ method, path, operation }) => [`${method} ${path}`, operation]))

interface Assignment {
  readonly type: string
  readonly value: string
}

/** Each example with the type that it should have. */
const assignments: ReadonlyArray<Assignment> = clientOf(document).groups.flatMap(({ name: group, operations }) =>
  operations.flatMap(({ name, method, path, body }) => {
    const { requestBody, responses } = described.get(`${method} ${path}`) ?? { responses: {} }
    const called = `Parley["${group}"]["${name}"]`
    const place = [...path.matchAll(/\{/g)].length
    const given = body === "json" ? examplesIn(requestBody?.content) : []
    const answered = Object.entries(responses)
      .filter(([status]) => status.startsWith("2"))
      .flatMap(([, { content }]) => examplesIn(content))
    return [
      ...given.map((example) => ({ type: `Parameters<${called}>[${place}]`, value: JSON.stringify(example) })),
      ...answered.map((example) => ({ type: `Awaited<ReturnType<${called}>>`, value: JSON.stringify(example) }))
    ]
  })
)

/** What the compiler says of these assignments. */
const compiled = async (all: ReadonlyArray<Assignment>): Promise<ReadonlyArray<string>> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-types-"))
  try {
    await symlink(join(root, "clients/typescript/src"), join(folder, "client"))
    const head = 'import type { Parley } from "./client/index.ts"\nconst take = <A>(_: A): void => {}\n'
    const lines = all.map(({ type, value }) => `take<${type}>(${value})`)
    await writeFile(join(folder, "examples.ts"), head + lines.join("\n"))
    const compilerOptions = {
      target: "ES2022",
      module: "NodeNext",
      lib: ["ES2022", "DOM", "DOM.Iterable"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      allowImportingTsExtensions: true
    }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["examples.ts"] }))
    return await new Promise((done) =>
      execFile(process.execPath, [join(root, "node_modules/typescript/lib/tsc.js"), "-p", folder], (_, stdout) =>
        done(stdout.split("\n").filter((line) => line.includes("error TS")))
      )
    )
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

describe("the client's types", () => {
  it("fit every example of the description", async () => {
    expect(assignments.length).toBeGreaterThan(100)
    expect(await compiled(assignments)).toEqual([])
  })

  it("do not fit something else", async () => {
    const wrong = assignments.map(({ type }) => ({ type, value: "{ anything: 1 }" }))
    expect((await compiled(wrong)).length).toBe(wrong.length)
  })
})
