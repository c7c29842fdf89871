/** The package for n8n: its nodes are loaded and used as n8n does, and n8n's own linter judges them. */
import { spawnSync } from "node:child_process"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { CustomersApi } from "../../../src/http/groups/Api.ts"
import { makeAutomationApp } from "../../support/automationApp.ts"
import { comesAbout } from "../../support/eventually.ts"
import { hasN8nLinter, n8nLinter } from "../../support/n8nLinter.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { startWebhooks } from "../../support/webhooks.ts"

playsInRealTime()

const workflow = `class NodeApiError extends Error {
  constructor(node, answer, { message }) { super(message) }
}
module.exports = { NodeConnectionTypes: { Main: "main" }, NodeApiError }`

interface Property {
  readonly name: string
  readonly displayName?: string
  readonly type?: string
  readonly typeOptions?: { readonly loadOptionsMethod?: string }
  readonly displayOptions?: { readonly show: { readonly operation: ReadonlyArray<string> } }
  readonly options?: ReadonlyArray<Property & { readonly value: string; readonly routing?: Routing }>
}
interface Routing {
  readonly request: { readonly method: string; readonly url: string }
}
interface Node {
  readonly description: { readonly properties: ReadonlyArray<Property> }
  readonly methods: { readonly loadOptions: Readonly<Record<string, () => Promise<unknown>>> }
  readonly webhookMethods: {
    readonly default: Readonly<Record<"checkExists" | "create" | "delete", () => Promise<boolean>>>
  }
}

const load = async (folder: string, name: string): Promise<Node> => {
  const module = await import(/* @vite-ignore */ join(folder, "nodes", name, `${name}.node.ts`))
  return new module[name]()
}

/** n8n's request with the credentials of the node. */
const requestWith = (apiKey: string) =>
  async function (
    this: unknown,
    _credentials: string,
    asked: {
      readonly method: string
      readonly baseURL: string
      readonly url: string
      readonly qs: Readonly<Record<string, string>>
      readonly body?: object
      readonly returnFullResponse?: boolean
    }
  ) {
    const url = new URL(asked.baseURL + asked.url)
    for (const [name, value] of Object.entries(asked.qs)) url.searchParams.set(name, value)
    const { method, body } = asked
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" }
    const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const said = await answer.json()
    return asked.returnFullResponse === true ? { statusCode: answer.status, body: said } : said
  }

describe("the package for n8n", () => {
  it.live("has operations that the interface has, and fields for each of them", () =>
    Effect.gen(function* () {
      const folder = yield* makeAutomationApp("n8n", { "n8n-workflow": workflow })
      const { description, methods } = yield* Effect.promise(() => load(folder, "Parley"))
      const [operation, ...fields] = description.properties
      const { paths } = OpenApi.fromApi(CustomersApi) as { readonly paths: Readonly<Record<string, object>> }
      const known = new Set(
        Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
      )
      const used = (operation.options ?? []).map(({ value, routing }) => {
        const { method = "", url = "" } = routing?.request ?? {}
        const path = url.replace(/^=/, "").replace(/\{\{ encodeURIComponent\(\$parameter\["(\w+)"\]\) \}\}/g, "{$1}")
        assert.isTrue(known.has(`${method.toLowerCase()} ${path}`), `${method} ${path}`)
        return value
      })
      assert.lengthOf(used, 19)
      for (const { displayOptions } of fields) assert.include(used, displayOptions?.show.operation[0])
      const loaders = fields
        .flatMap((field) => [field, ...(field.options ?? [])])
        .flatMap(({ typeOptions }) => typeOptions?.loadOptionsMethod ?? [])
      assert.includeMembers(loaders, ["loadVoiceAgentsList", "loadTemplatesList", "loadContactsTags"])
      for (const name of loaders) assert.property(methods.loadOptions, name)
    }).pipe(Effect.scoped)
  )

  it.live("subscribes a workflow when it is switched on, once, and unsubscribes it", () =>
    Effect.gen(function* () {
      const folder = yield* makeAutomationApp("n8n", { "n8n-workflow": workflow })
      const { tenant, contact, receiver, worker, world } = yield* startWebhooks()
      yield* worker
      yield* Effect.promise(async () => {
        const us = await tenant()
        const { webhookMethods } = await load(folder, "ParleyTrigger")
        const { methods } = await load(folder, "Parley")
        const data: Record<string, unknown> = {}
        const workflowContext = {
          getCredentials: async () => ({ baseUrl: `${world.base}/`, apiKey: us.key }),
          getNode: () => ({}),
          getNodeParameter: () => "contact.created",
          getNodeWebhookUrl: () => `${receiver.url}/n8n`,
          getWorkflowStaticData: () => data,
          helpers: { httpRequestWithAuthentication: requestWith(us.key) }
        }
        const { checkExists, create, delete: remove } = webhookMethods.default
        assert.isFalse(await checkExists.call(workflowContext))
        assert.isTrue(await create.call(workflowContext))
        assert.isTrue(await checkExists.call(workflowContext))
        await contact(us, "Asha")
        await comesAbout("the event came", () => receiver.to("/n8n").length === 1)
        assert.isTrue(await remove.call(workflowContext))
        assert.isFalse(await checkExists.call(workflowContext))
        assert.deepStrictEqual(await methods.loadOptions.loadContactsTags.call(workflowContext), [])
        data.hookId = "whk_unknown"
        assert.isTrue(await remove.call(workflowContext))
      })
    }).pipe(Effect.scoped)
  )

  // In CI a missing linter is a failure: `npm test` installs it there.
  it.live.skipIf(!hasN8nLinter() && (process.env.CI ?? "") === "")(
    "passes n8n's own linter, which finds what is wrong",
    () =>
      Effect.gen(function* () {
        const folder = yield* makeAutomationApp("n8n", {})
        const args = [
          join(n8nLinter, "node_modules/eslint/bin/eslint.js"),
          "--config",
          join(n8nLinter, "eslint.config.mjs")
        ]
        // In a test, the linter takes every file for one of its own tests.
        const env = { ...process.env, NODE_ENV: "development" }
        const lint = () => spawnSync(process.execPath, [...args, "."], { cwd: folder, encoding: "utf8", env })
        const { status, stdout, stderr } = lint()
        assert.strictEqual(status, 0, stdout + stderr)
        appendFileSync(join(folder, "nodes/Parley/Parley.node.ts"), "console.log(process.env.HOME)\n")
        assert.match(lint().stdout, /@n8n\/community-nodes\//)
      }).pipe(Effect.scoped)
  )
})
