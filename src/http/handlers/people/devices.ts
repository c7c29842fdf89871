import { Effect } from "effect"
import { PushSettings } from "../../../domain/events/Push.ts"
import { Audit } from "../../../domain/people/access/Audit.ts"
import { Devices } from "../../../domain/people/access/Device.ts"
import { UserSessions } from "../../../domain/people/access/UserSession.ts"
import { AppApi } from "../../groups/Api.ts"
import { requirePerson, requireScope, sessionOfRequest } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { Forbidden, NotFound } from "../../wire/Errors.ts"

const noPerson = "Devices belong to a person who is signed in; this is an API key."
const person = requirePerson(noPerson)

/** Needs Devices and UserSessions. */
export const layer = group(
  AppApi,
  "devices",
  Effect.fn(function* (handlers) {
    const devices = yield* Devices
    const sessions = yield* UserSessions

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { organizationId, userId } = yield* person
        return { data: yield* devices.list(organizationId, userId) }
      }),
      register: Effect.fnUntraced(function* ({ payload }) {
        const { sessionId } = yield* person
        const session = yield* sessionOfRequest(sessions)
        if (session === undefined) return yield* new Forbidden({ error: noPerson })
        return yield* devices.register({ user: session.user, sessionId, expiresAt: session.expiresAt }, payload)
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { organizationId, userId } = yield* person
        if (!(yield* devices.remove(organizationId, userId, params.id)))
          return yield* new NotFound({ error: "You have no such device." })
        return { id: params.id, removed: true as const }
      })
    })
  })
)

/** Needs PushSettings and Audit. */
export const settingsLayer = group(
  AppApi,
  "pushSettings",
  Effect.fn(function* (handlers) {
    const settings = yield* PushSettings
    const audit = yield* Audit

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const { organizationId } = yield* requireScope("admin")
        return { preview: yield* settings.preview(organizationId) }
      }),
      set: Effect.fnUntraced(function* ({ payload: { preview } }) {
        const { organizationId } = yield* requireScope("admin")
        const before = yield* settings.preview(organizationId)
        yield* audit.recorded(organizationId, settings.setPreview(organizationId, preview), () => ({
          action: "organization.push_changed",
          subjectId: organizationId,
          before: { preview: before },
          after: { preview }
        }))
        return { preview }
      })
    })
  })
)
