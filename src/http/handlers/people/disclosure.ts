import { Effect, FiberMap } from "effect"
import { makeDisclosure } from "../../../domain/voice/agents/Disclosure.ts"
import { AppApi } from "../../groups/Api.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { group } from "../../server/RequestServices.ts"

/** Needs Organizations, VoiceAgents, EngineClient and Audit. */
export const layer = group(
  AppApi,
  "disclosure",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const disclosure = yield* makeDisclosure
    /** The running synthesis per organization. A change ends the synthesis of the previous text. */
    const synthesizing = yield* FiberMap.make<string>()

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const { disclosureText, disclosureTexts } = yield* ownOrganization("voice:read")
        return { text: disclosureText, texts: disclosureTexts }
      }),
      set: Effect.fnUntraced(function* ({ payload }) {
        const organization = yield* ownOrganization("admin")
        const changed = yield* disclosure.set(organization, payload)
        // This runs after the answer: it takes about a second per voice. A call that comes earlier synthesizes the text itself.
        const ahead = Effect.catchDefect(disclosure.synthesizeAhead(organization.id), (defect) =>
          Effect.logError("the disclosure was not synthesized ahead", { organizationId: organization.id, defect })
        )
        yield* FiberMap.run(synthesizing, organization.id, ahead)
        return changed
      })
    })
  })
)
