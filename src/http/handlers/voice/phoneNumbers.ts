import { Effect } from "effect"
import { makeManageNumbers } from "../../../domain/voice/telephony/ManageNumbers.ts"
import { type PhoneNumber, PhoneNumbers, type StoredNumber } from "../../../domain/voice/telephony/PhoneNumber.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { NotFound } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"
import { provisioningError } from "./provisioning.ts"

/** A number without the provider's id for it, which stays internal. */
const view = ({ sid: _, ...number }: StoredNumber): PhoneNumber => number

const wanted = (list: "sms" | "mms" | "sms,mms" | undefined): ReadonlyArray<"sms" | "mms"> =>
  list === undefined ? [] : list === "sms,mms" ? ["sms", "mms"] : [list]

/** Needs Organizations, VoiceAgents, PhoneNumbers, TelephonyConnections, Provisioning, Exclusive and Audit. */
export const layer = group(
  AppApi,
  "phoneNumbers",
  Effect.fn(function* (handlers) {
    const numbers = yield* PhoneNumbers
    const manage = yield* makeManageNumbers

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("voice:read")
        const at = window(query)
        const found = yield* numbers.list(organizationId, at.page, at.limit)
        return toPage({ ...found, data: found.data.map(view) }, at)
      }),
      available: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("voice:read")
        const { country, type = "local", areaCode, contains, capabilities, limit = 20 } = query
        const search = { country, type, areaCode, contains, capabilities: wanted(capabilities), limit }
        const data = yield* manage.search(organizationId, search).pipe(Effect.mapError(provisioningError))
        return { data }
      }),
      add: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("voice:write")
        const { phoneNumber, origin = "purchased", agentId = null } = payload
        return view(
          yield* manage.add(organizationId, { phoneNumber, origin, agentId }).pipe(Effect.mapError(provisioningError))
        )
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("voice:read")
        const found = yield* numbers.find(organizationId, params.id)
        return found === undefined ? yield* new NotFound({ error: "There is no such phone number." }) : view(found)
      }),
      assign: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("voice:write")
        return view(
          yield* manage.assign(organizationId, params.id, payload.agentId).pipe(Effect.mapError(provisioningError))
        )
      }),
      release: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("voice:write")
        yield* manage.release(organizationId, params.id).pipe(Effect.mapError(provisioningError))
        return { id: params.id, released: true as const }
      })
    })
  })
)
