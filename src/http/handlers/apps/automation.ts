import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { Archives } from "../../../domain/privacy/ContactExport.ts"
import { type AutomationDescription, type AutomationSource, automationOf } from "../../docs/AutomationDocs.ts"
import { type AutomationTool, filesOfApp, isAppAddress } from "../../docs/apps/AutomationApps.ts"
import { madeOnce } from "../../docs/MadeOnce.ts"
import { AppApi, CustomersApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { ServerError } from "../../wire/Errors.ts"
import { OwnAddress } from "../../wire/OwnAddress.ts"

const once = madeOnce()

/** Made once: it takes some 100 ms, which the frames of running calls cannot wait. */
let known: AutomationDescription | undefined

const description = (): AutomationDescription => {
  if (known === undefined) {
    const document: AutomationSource = JSON.parse(JSON.stringify(OpenApi.fromApi(CustomersApi)))
    known = automationOf(document)
  }
  return known
}

const describing = Effect.sync(() => HttpServerResponse.jsonUnsafe(description()))

/** Makes the description, or gives the one that is made. */
export const answer = once(CustomersApi, describing)

export const layer = group(
  AppApi,
  "automation",
  Effect.fn(function* (handlers) {
    const described = yield* answer
    const archives = yield* Archives
    const { publicBaseUrl } = yield* OwnAddress

    const archived = Effect.fnUntraced(function* (tool: AutomationTool) {
      const files = filesOfApp(tool, description(), {
        baseUrl: isAppAddress(publicBaseUrl) ? publicBaseUrl : undefined
      })
      const entries = files.map(({ path, text }) => ({
        name: `parley-${tool}/${path}`,
        bytes: Stream.encodeText(Stream.make(text))
      }))
      return yield* archives.zip(entries, ({ bytes }) => Stream.runCollect(bytes))
    })

    return handlers
      .handleRaw(
        "describe",
        Effect.fnUntraced(function* () {
          yield* requireScope("integrations:read")
          return described
        })
      )
      .handleRaw(
        "app",
        Effect.fnUntraced(function* ({ query: { tool } }) {
          yield* requireScope("integrations:read")
          const parts = yield* Effect.mapError(archived(tool), ({ message }) => new ServerError({ error: message }))
          return HttpServerResponse.uint8Array(Buffer.concat(parts), {
            contentType: "application/zip",
            headers: {
              "content-disposition": `attachment; filename="parley-${tool}.zip"`,
              "cache-control": "private, no-cache"
            }
          })
        })
      )
  })
)
