import { Effect, FiberMap } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { makeDisclosure } from "../../domain/Disclosure.ts"
import { Organizations } from "../../domain/Organization.ts"
import { AppApi } from "../Api.ts"
import { NotFound } from "../Errors.ts"
import { requireScope } from "../middleware/Authorization.ts"

/** Needs Organizations, VoiceAgents, EngineClient and Audit. */
export const layer = HttpApiBuilder.group(
  AppApi,
  "disclosure",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const disclosure = yield* makeDisclosure
    /** By organization: a change ends the work for the one before it. */
    const synthesizing = yield* FiberMap.make<string>()

    const existing = Effect.fnUntraced(function* (organizationId: string) {
      const organization = yield* organizations.find(organizationId)
      return organization ?? (yield* new NotFound({ error: "This organization no longer exists." }))
    })

    return handlers.handleAll({
      get: Effect.fn("disclosure.get")(function* () {
        const { organizationId } = yield* requireScope("voice:read")
        return { text: (yield* existing(organizationId)).disclosureText }
      }),
      set: Effect.fn("disclosure.set")(function* ({ payload: { text } }) {
        const { organizationId } = yield* requireScope("admin")
        yield* disclosure.set(yield* existing(organizationId), text)
        // Behind the answer: it takes a second or so for each voice, and a call that comes before it is done does it itself.
        const ahead = Effect.catchDefect(disclosure.synthesizeAhead(organizationId), (defect) =>
          Effect.logError("the disclosure was not synthesized ahead", { organizationId, defect })
        )
        yield* FiberMap.run(synthesizing, organizationId, ahead)
        return { text }
      })
    })
  })
)
