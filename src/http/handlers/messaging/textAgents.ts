import { Effect } from "effect"
import { makeSaveTextAgent, shownTextAgent } from "../../../domain/messaging/agents/SaveTextAgent.ts"
import type { DuplicateTextAgent } from "../../../domain/messaging/agents/TextAgent.ts"
import { TextAgents } from "../../../domain/messaging/agents/TextAgent.ts"
import type { TextAgentChanges } from "../../../domain/messaging/agents/TextAgentInput.ts"
import { TextAgentVersions } from "../../../domain/messaging/agents/TextAgentVersion.ts"
import { makeTryTextAgent } from "../../../domain/messaging/rehearsal/TryTextAgent.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { readAtOf } from "../../middleware/IfMatch.ts"
import { makeRateLimit } from "../../middleware/RateLimit.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"
import { makeVersionHandlers } from "../ai/agentVersions.ts"

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
    const ofVersions = yield* makeVersionHandlers({
      versions: yield* TextAgentVersions,
      what: "text agent",
      read: "agents:read",
      write: "agents:write"
    })

    const find = Effect.fnUntraced(function* (organizationId: string, id: string) {
      return (yield* agents.find(organizationId, id)) ?? (yield* notFound())
    })

    const saved = (organizationId: string, id: string, changes: TextAgentChanges, readAt?: string) =>
      save.update(organizationId, id, changes, readAt).pipe(
        Effect.catchTags({
          InvalidTextAgent: invalid,
          TextAgentNotFound: notFound,
          DuplicateTextAgent: duplicate,
          TextAgentChanged: () => ofVersions.changedMeanwhile(organizationId, id)
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
      ...ofVersions.routes(find, saved),
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
