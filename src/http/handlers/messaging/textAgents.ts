import { Effect } from "effect"
import { maskSecrets } from "../../../domain/ai/tools/ToolSecrets.ts"
import { makeSaveTextAgent, shownTextAgent } from "../../../domain/messaging/agents/SaveTextAgent.ts"
import type { DuplicateTextAgent } from "../../../domain/messaging/agents/TextAgent.ts"
import { TextAgents } from "../../../domain/messaging/agents/TextAgent.ts"
import type { TextAgentChanges } from "../../../domain/messaging/agents/TextAgentInput.ts"
import { TextAgentVersions } from "../../../domain/messaging/agents/TextAgentVersion.ts"
import { makeTryTextAgent } from "../../../domain/messaging/rehearsal/TryTextAgent.ts"
import { makeSavedMeanwhile } from "../../../domain/people/access/SavedMeanwhile.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { readAtOf } from "../../middleware/IfMatch.ts"
import { makeRateLimit } from "../../middleware/RateLimit.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"

const notFound = () => new NotFound({ error: "There is no such text agent." })
const invalid = ({ message }: { readonly message: string }) => new BadRequest({ error: message })
const duplicate = ({ name }: DuplicateTextAgent) =>
  new Conflict({ error: `There is already a text agent with the name "${name}".` })

/** Each asks a model, and may run tools. */
const tries = { name: "text-agent-tries", what: "tries of text agents", limit: 30, window: "1 minute" } as const

/** Needs TextAgents, TextAgentVersions, VoiceAgents, Users, Audit, TurnRehearsal and RateLimiter. */
export const layer = group(
  AppApi,
  "textAgents",
  Effect.fn(function* (handlers) {
    const agents = yield* TextAgents
    const save = yield* makeSaveTextAgent
    const tryOut = yield* makeTryTextAgent
    const countTry = yield* makeRateLimit(tries)
    const versions = yield* TextAgentVersions
    const savedMeanwhile = yield* makeSavedMeanwhile

    const find = Effect.fnUntraced(function* (organizationId: string, id: string) {
      return (yield* agents.find(organizationId, id)) ?? (yield* notFound())
    })

    const versionOf = Effect.fnUntraced(function* (organizationId: string, id: string, version: number) {
      const found = yield* versions.find(organizationId, id, version)
      return found ?? (yield* new NotFound({ error: "There is no such version of this text agent, or not any more." }))
    })

    /** Says who saved the agent last. */
    const changedMeanwhile = Effect.fnUntraced(function* (organizationId: string, id: string) {
      const { data } = yield* versions.list(organizationId, id, 1, 1)
      return yield* new Conflict({ error: yield* savedMeanwhile(organizationId, "text agent", data[0]) })
    })

    const saved = (organizationId: string, id: string, changes: TextAgentChanges, readAt: string | undefined) =>
      save.update(organizationId, id, changes, readAt).pipe(
        Effect.catchTags({
          InvalidTextAgent: invalid,
          TextAgentNotFound: notFound,
          DuplicateTextAgent: duplicate,
          TextAgentChanged: () => changedMeanwhile(organizationId, id)
        })
      )

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("agents:read")
        const at = window(query)
        const found = yield* agents.list(organizationId, at.page, at.limit)
        return toPage({ ...found, data: found.data.map(shownTextAgent) }, at)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("agents:write")
        return yield* save.create(organizationId, payload).pipe(
          Effect.catchTags({
            InvalidTextAgent: invalid,
            TooManyTextAgents: ({ message }) => new Forbidden({ error: message }),
            DuplicateTextAgent: duplicate
          })
        )
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("agents:read")
        return shownTextAgent(yield* find(organizationId, params.id))
      }),
      update: Effect.fnUntraced(function* ({ params, payload, headers }) {
        const { organizationId } = yield* requireScope("agents:write")
        if (Object.keys(payload).length === 0)
          return yield* new BadRequest({ error: "Send at least one field of the text agent." })
        return yield* saved(organizationId, params.id, payload, readAtOf(headers))
      }),
      versions: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* requireScope("agents:read")
        yield* find(organizationId, params.id)
        const at = window(query)
        return toPage(yield* versions.list(organizationId, params.id, at.page, at.limit), at)
      }),
      version: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("agents:read")
        const { version, settings } = yield* versionOf(organizationId, params.id, params.version)
        return { ...version, settings: { ...settings, tools: maskSecrets(settings.tools) } }
      }),
      restore: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("agents:write")
        const { settings } = yield* versionOf(organizationId, params.id, params.version)
        return yield* saved(organizationId, params.id, settings, undefined)
      }),
      tryOut: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("agents:write")
        yield* countTry(organizationId)
        return yield* tryOut(organizationId, params.id, payload).pipe(
          Effect.catchTags({ InvalidTextAgent: invalid, TextAgentNotFound: notFound })
        )
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("agents:write")
        yield* save.remove(organizationId, params.id).pipe(Effect.catchTag("TextAgentNotFound", notFound))
        return { id: params.id, deleted: true as const }
      })
    })
  })
)
