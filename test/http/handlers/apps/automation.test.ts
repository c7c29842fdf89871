/** What automation tools are told of the interface: all that they need, and samples that are as they say. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import { catalogue } from "../../../../src/domain/apps/Catalogue.ts"
import { startMessaging } from "../../../support/messaging.ts"

const path = "/api/integrations/describe"

interface Part {
  readonly key: string
  readonly label: string
  readonly scope: string
  readonly method?: string
  readonly path?: string
  readonly schema?: object
  readonly input?: object | null
  readonly output?: object | null
  readonly sample?: unknown
}

interface Field {
  readonly key: string
  readonly choices?: string
}

interface Operation extends Part {
  readonly fields: ReadonlyArray<Field>
}

type Way = { readonly method: string; readonly path: string }

interface Trigger extends Operation {
  readonly subscribe: Way
  readonly unsubscribe: Way
  readonly exists: Way
  readonly samples: Way
}

describe("the names under /api/integrations", () => {
  it("that are no providers are not taken by one", () => {
    assert.notIncludeMembers(Object.keys(catalogue), ["app", "describe", "hooks", "oauth"])
  })
})

describe("the description for automation tools", () => {
  it.live("has triggers, actions and searches, whose samples match their schemas and whose paths exist", () =>
    Effect.gen(function* () {
      const { raw, keyOf, run, organizationId, world } = yield* startMessaging
      yield* Effect.promise(async () => {
        const { secret } = await run(keyOf(organizationId, ["integrations:read"]))
        const { status, body } = await raw("GET", path, undefined, secret)
        assert.strictEqual(status, 200)
        const ajv = new Ajv2020({ strict: false })
        ajv.addSchema({ $id: "described", components: body.components as object })
        const valid = (schema: object, value: unknown) => {
          const own = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"described#/components/'))
          const validate = ajv.compile(own)
          return validate(value) ? [] : (validate.errors ?? [])
        }
        const triggers = body.triggers as ReadonlyArray<Trigger>
        assert.includeMembers(
          triggers.map(({ key }) => key),
          ["contact.created", "contact.updated", "conversation.resolved", "message.received", "call.ended"]
        )
        const paths = world.contract.document.paths
        for (const { key, schema = {}, sample, fields, ...way } of triggers) {
          assert.isNotNull(sample, key)
          assert.deepStrictEqual(valid(schema, sample), [], key)
          assert.include(
            fields.map((field) => field.key),
            "id"
          )
          for (const { method, path: at } of [way.subscribe, way.unsubscribe, way.exists, way.samples])
            assert.isDefined(paths[at.replace(/\?.*/, "").replace(`/${key}`, "/{event}")][method.toLowerCase()], at)
        }
        const choices = body.choices as ReadonlyArray<Part>
        const operations = [body.actions, body.searches].flat() as ReadonlyArray<Operation>
        assert.lengthOf(operations, 19)
        for (const { key, method = "", path: at = "", scope, label } of [...operations, ...choices]) {
          assert.isDefined(paths[at][method.toLowerCase()], key)
          assert.match(scope, /^[a-z]+:[a-z]+$/)
          assert.notStrictEqual(label, "")
        }
        const lists = choices.map(({ key }) => key)
        assert.includeMembers(lists, ["voiceAgents.list", "textAgents.list", "templates.list", "contacts.tags"])
        for (const { key, output, sample, fields } of operations) {
          if (output != null && sample !== null) assert.deepStrictEqual(valid(output, sample), [], key)
          const keys = fields.map((field) => field.key)
          assert.strictEqual(new Set(keys).size, keys.length, key)
          for (const field of fields) if (field.choices !== undefined) assert.include(lists, field.choices)
        }
        const { secret: other } = await run(keyOf(organizationId, ["contacts:read"]))
        const refused = await raw("GET", path, undefined, other)
        assert.strictEqual(refused.status, 403)
        assert.include(String(refused.body.error), "integrations:read")
      })
    }).pipe(Effect.scoped)
  )
})

describe("the app for an automation tool", () => {
  it.live("is a ZIP of the files of that tool, for those who may see integrations", () =>
    Effect.gen(function* () {
      const { base, keyOf, run, organizationId } = yield* startMessaging
      yield* Effect.promise(async () => {
        const { secret } = await run(keyOf(organizationId, ["integrations:read"]))
        const { secret: blind } = await run(keyOf(organizationId, ["contacts:read"]))
        const get = (tool: string, key: string) =>
          fetch(`${base}/api/integrations/app?tool=${tool}`, { headers: { authorization: `Bearer ${key}` } })
        for (const [tool, file] of [
          ["zapier", "index.js"],
          ["n8n", "package.json"],
          ["make", "makecomapp.json"]
        ] as const) {
          const answer = await get(tool, secret)
          assert.strictEqual(answer.headers.get("content-type"), "application/zip")
          assert.include(answer.headers.get("content-disposition") ?? "", `parley-${tool}.zip`)
          const bytes = Buffer.from(await answer.arrayBuffer())
          assert.strictEqual(bytes.subarray(0, 2).toString(), "PK")
          assert.include(bytes.toString("latin1"), `parley-${tool}/${file}`)
        }
        assert.strictEqual((await get("zapier", blind)).status, 403)
        assert.strictEqual((await get("ifttt", secret)).status, 400)
      })
    }).pipe(Effect.scoped)
  )
})
