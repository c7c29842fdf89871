/**
 * The protocol's conformance suite against our client, in both eras. For each scenario an organization adds the suite's server, a person authorizes it
 * where it wants that, its tools are approved, and each is called once. docs/mcp.md says why scenarios do not apply.
 */
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Semaphore } from "effect"
import { listen, readBody } from "../../../simulators/support/Loopback.ts"
import { makeAuthorizeMcpServer } from "../../../src/domain/ai/tools/AuthorizeMcpServer.ts"
import { makeManageMcpServers } from "../../../src/domain/ai/tools/ManageMcpServers.ts"
import { McpClient } from "../../../src/domain/ai/tools/McpClient.ts"
import { McpServers, type ShownMcpServer } from "../../../src/domain/ai/tools/McpServer.ts"
import { Organizations } from "../../../src/domain/people/organizations/Organization.ts"
import * as McpCredentials from "../../../src/integrations/mcp/McpCredentials.ts"
import * as McpOAuthClient from "../../../src/integrations/mcp/McpOAuthClient.ts"
import * as McpPool from "../../../src/integrations/mcp/McpPool.ts"
import { temporaryFolder } from "../../support/folder.ts"
import { root } from "../../support/imports.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { newStores, storesOf } from "../../support/stores.ts"
import { newOrganization } from "../../support/tenants.ts"

const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
const driver = join(root, "test/support/conformanceClient.ts")
const own = {
  redirectUri: "http://localhost:9/oauth/callback",
  // The suite knows no other.
  metadataUrl: "https://conformance-test.local/client-metadata.json"
}
/** Scenarios of the two requirement sets that do not apply: nobody is asked anything while a tool runs (elicitation). */
const inapplicable: Readonly<Record<string, ReadonlyArray<string>>> = {
  "2025-11-25": ["elicitation-sep1034-client-defaults"],
  "2026-07-28": ["sep-2322-client-request-state"]
}
/** How often a person agrees before they give up. */
const patience = 3

interface Scenario {
  readonly scenario: string
  readonly serverUrl: string
  /** JSON. */
  readonly context: string
}

/** Does with a server what an organization does. Gives what happened, and whether it went well. */
const makeOrganization = Effect.gen(function* () {
  const stores = yield* Layer.build(storesOf(yield* newStores))
  const tools = yield* Layer.build(
    McpPool.layer({ allowPrivateNetwork: true }).pipe(
      Layer.provide(McpCredentials.layer),
      Layer.provideMerge(McpOAuthClient.layer({ allowPrivateNetwork: true })),
      Layer.provide(Layer.succeedContext(stores))
    )
  )
  return yield* Effect.gen(function* () {
    const manage = yield* makeManageMcpServers
    const { begin, finish } = yield* makeAuthorizeMcpServer
    const servers = yield* McpServers
    const client = yield* McpClient
    const organizations = yield* Organizations

    const authorize = Effect.fnUntraced(function* (organizationId: string, id: string) {
      const address = yield* begin(organizationId, id, "usr_1", own)
      const back = yield* Effect.promise(async () => {
        const { headers } = await fetch(address, { redirect: "manual" })
        return new URL(headers.get("location") ?? "").searchParams
      })
      const of = (name: string) => back.get(name) ?? undefined
      const answer = { state: of("state") ?? "", code: of("code"), iss: of("iss"), error: of("error") }
      return yield* finish(organizationId, "usr_1", answer, own.redirectUri)
    })

    return Effect.fnUntraced(function* ({ serverUrl, context }: Scenario) {
      const { id: organizationId } = yield* newOrganization()
      yield* organizations.setPlan(organizationId, "PREMIUM", false)
      const given = JSON.parse(context)
      const said: Array<string> = []
      const client_ =
        given.client_id === undefined ? {} : { clientId: given.client_id, clientSecret: given.client_secret }
      const added = yield* manage.create(organizationId, {
        name: "Suite",
        url: serverUrl,
        timeoutMs: 5_000,
        auth: { type: "oauth", ...client_ }
      })
      const { id } = added
      const tell = ({ health, authorization, tools }: ShownMcpServer) =>
        said.push(
          `${health.status}: ${health.error}; ${authorization?.status}, wants ${authorization?.wanted}; ${tools.map(({ name, status }) => `${name} ${status}`)}`
        )
      /** A person agrees as long as the server wants it. */
      const agreed = Effect.fnUntraced(function* () {
        let server = yield* manage.find(organizationId, id)
        tell(server)
        for (let times = 0; server.health.status === "unauthorized" && times < patience; times++) {
          server = yield* authorize(organizationId, id)
          tell(server)
        }
        return server
      })
      const server = yield* agreed()
      const approvable = server.tools.filter(({ status }) => status === "new")
      yield* manage.approve(organizationId, id, { tools: approvable.map(({ name, hash }) => ({ name, hash })) })
      for (const { name, inputSchema } of approvable) {
        const input =
          given.toolCalls?.find((call: { readonly name: string }) => call.name === name)?.arguments ??
          argumentsFor(
            inputSchema,
            server.tools.filter((tool) => tool.name !== name)
          )
        for (let times = 0; times < patience; times++) {
          const stored = yield* servers.find(organizationId, id)
          if (stored === undefined) break
          const answer = yield* client.call(stored, name, input)
          said.push(`${name}: ${answer.outcome} ${answer.result.slice(0, 300)}`)
          if (!/authorize/.test(answer.result)) break
          yield* Effect.sleep(100)
          yield* agreed()
        }
      }
      const last = yield* manage.find(organizationId, id)
      yield* manage.remove(organizationId, id)
      return { said, ok: last.health.status === "ok" }
    })
  }).pipe(Effect.provide(Layer.mergeAll(Layer.succeedContext(stores), Layer.succeedContext(tools))), (made) =>
    Effect.map(made, (run) => (scenario: Scenario) => Effect.provide(run(scenario), stores))
  )
})

/** Arguments for a tool of the suite: numbers, words, and the schema of another tool where one is asked for. */
const argumentsFor = (
  schema: Readonly<Record<string, unknown>>,
  tools: ShownMcpServer["tools"]
): Readonly<Record<string, unknown>> => {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, { readonly type?: string }>>
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => {
      if (name === "schema") return [name, tools[0]?.inputSchema]
      return [name, type === "number" || type === "integer" ? 5 : type === "boolean" ? true : "word"]
    })
  )
}

/** Runs scenarios and gives the suite's words. */
const suiteFor = Effect.gen(function* () {
  const organization = yield* makeOrganization
  // The suite begins all its scenarios at once. Each of them has time limits that are meant for one at a time.
  const turns = Semaphore.makeUnsafe(4)
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const service = yield* Effect.acquireRelease(
    Effect.promise(() =>
      listen(async (request, response) => {
        const scenario = JSON.parse(await readBody(request)) as Scenario
        const { said, ok } = await run(
          Effect.catchCause(turns.withPermits(1)(organization(scenario)), (cause) =>
            Effect.succeed({ said: [String(cause)], ok: false })
          )
        )
        response.writeHead(ok ? 200 : 500).end(said.join("\n"))
      })
    ),
    ({ close }) => Effect.promise(close)
  )
  const folder = yield* temporaryFolder("conformance")
  return (args: ReadonlyArray<string>, failing: ReadonlyArray<string>) =>
    Effect.promise(
      () =>
        new Promise<{ readonly code: number | null; readonly output: string }>((done) => {
          // The suite fails, too, when one of these passes.
          const baseline = join(folder, "failing.yaml")
          writeFileSync(baseline, JSON.stringify({ client: failing }))
          const command = `${process.execPath} ${driver} ${service.url}`
          const options = ["--command", command, "--timeout", "240000", "--expected-failures", baseline, "-o", folder]
          const child = spawn(process.execPath, [suite, "client", ...options, ...args], {
            stdio: ["ignore", "pipe", "pipe"]
          })
          let output = ""
          for (const stream of [child.stdout, child.stderr])
            stream.on("data", (chunk: Buffer) => {
              output += chunk.toString()
            })
          child.once("close", (code) => done({ code, output }))
        })
    )
})

// The suite's own limits are of seconds.
playsInRealTime()

describe("the conformance suite", () => {
  for (const revision of ["2025-11-25", "2026-07-28"])
    it.live(
      `finds nothing wrong with our client, in the revision ${revision}`,
      () =>
        Effect.gen(function* () {
          const runSuite = yield* suiteFor
          const { code, output } = yield* runSuite(["--requirements", revision], inapplicable[revision])
          assert.strictEqual(code, 0, output)
        }),
      300_000
    )

  it.live(
    "finds nothing wrong with our client and servers of 2025-03-26, which have no documents",
    () =>
      Effect.gen(function* () {
        const runSuite = yield* suiteFor
        const { code, output } = yield* runSuite(["--suite", "backcompat", "--spec-version", "2025-03-26"], [])
        assert.strictEqual(code, 0, output)
        assert.match(output, /oauth-endpoint-fallback/)
      }),
    240_000
  )
})
