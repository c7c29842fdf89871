import { Clock, Effect } from "effect"
import { Organizations } from "../../../domain/people/organizations/Organization.ts"
import type { VoiceAgentChanges } from "../../../domain/voice/agents/AgentInput.ts"
import { AgentVersions } from "../../../domain/voice/agents/AgentVersion.ts"
import { agentView } from "../../../domain/voice/agents/AgentView.ts"
import { makeSaveVoiceAgent, type SaveError } from "../../../domain/voice/agents/SaveVoiceAgent.ts"
import { makeTryTool } from "../../../domain/voice/agents/TryTool.ts"
import { VoiceAgents } from "../../../domain/voice/agents/VoiceAgent.ts"
import { makePlaceTestCall } from "../../../domain/voice/calls/live/PlaceTestCall.ts"
import type { TooManyCalls } from "../../../domain/voice/calls/outbound/Placement.ts"
import {
  type CallNotAllowed,
  type InvalidCall,
  makeRequestCall,
  type NoSuch
} from "../../../domain/voice/calls/outbound/RequestCall.ts"
import { Transfers } from "../../../domain/voice/calls/records/Transfer.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { readAtOf } from "../../middleware/IfMatch.ts"
import { makeRateLimit } from "../../middleware/RateLimit.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError, tooMany } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"
import { makeVersionHandlers } from "../ai/agentVersions.ts"
import { makeListCalls } from "./callList.ts"

const notFound = () => new NotFound({ error: "There is no such voice agent." })

/** What the refusals of an outbound call are answered with, but for that of too many, whose answer has a header. */
export const callErrors = {
  InvalidCall: ({ message }: InvalidCall) => new BadRequest({ error: message }),
  CallNotAllowed: ({ message }: CallNotAllowed) => new Forbidden({ error: message }),
  NoSuch: ({ what }: NoSuch) => new NotFound({ error: `There is no such ${what}.` })
}

export const tooManyCalls = ({ limit }: TooManyCalls): string =>
  `The organization already has ${limit} calls, which is all it may have at once.`

const busy = () =>
  new Conflict({ error: "Another request is changing this organization's voice agents. Please try again in a moment." })

const saveError = (error: SaveError) => {
  switch (error._tag) {
    case "Busy":
      return busy()
    case "InvalidAgent":
      return new BadRequest({ error: error.message })
    case "AgentNotAllowed":
      return new Forbidden({ error: error.message })
    case "DuplicateAgent":
      return new Conflict({ error: `There is already a voice agent with the name "${error.name}".` })
    case "EngineProtocolError":
      return new ServerError({ error: error.message })
  }
}

/** When a client may try again after its organization had no free call. */
const freeSlotSeconds = 15

const toolTries = { name: "tool-tries", what: "tries of tools", limit: 30, window: "1 minute" } as const

/**
 * Needs Organizations, VoiceAgents, TestedAgents, AgentVersions, Users, Calls, VoiceUsage, Transfers, EngineClient, McpClient, ToolRunner, RateLimiter,
 * Exclusive, Audit; for outbound calls what `RequestCall` needs.
 */
export const layer = group(
  AppApi,
  "voiceAgents",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const agents = yield* VoiceAgents
    const listCalls = yield* makeListCalls
    const transfers = yield* Transfers
    const save = yield* makeSaveVoiceAgent
    const ofVersions = yield* makeVersionHandlers({
      versions: yield* AgentVersions,
      what: "voice agent",
      read: "voice:read",
      write: "voice:write"
    })
    const requestCall = yield* makeRequestCall
    const placeTestCall = yield* makePlaceTestCall
    const tryTool = yield* makeTryTool
    const countTry = yield* makeRateLimit(toolTries)

    /** The attributes of the organization that a view of an agent shows. */
    const viewedBy = (organizationId: string) =>
      Effect.map(
        organizations.find(organizationId),
        (found) =>
          found ?? { disclosureText: "", disclosureTexts: {}, flags: { voiceAgents: false, voicePremium: false } }
      )

    const find = Effect.fnUntraced(function* (organizationId: string, agentId: string) {
      const agent = yield* agents.find(organizationId, agentId)
      return agent === undefined ? yield* notFound() : agent
    })

    const saved = (organizationId: string, agentId: string, changes: VoiceAgentChanges, readAt?: string) =>
      save.update(organizationId, agentId, changes, readAt).pipe(
        Effect.catch((error) => {
          if (error._tag === "AgentChanged") return ofVersions.changedMeanwhile(organizationId, agentId)
          return Effect.fail(error._tag === "AgentNotFound" ? notFound() : saveError(error))
        })
      )

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("voice:read")
        const at = window(query)
        const organization = yield* viewedBy(organizationId)
        const found = yield* agents.list(organizationId, at.page, at.limit)
        return toPage({ ...found, data: found.data.map((agent) => agentView(agent, organization)) }, at)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("voice:write")
        return yield* save.create(organizationId, payload).pipe(Effect.mapError(saveError))
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("voice:read")
        return agentView(yield* find(organizationId, params.id), yield* viewedBy(organizationId))
      }),
      update: Effect.fnUntraced(function* ({ params, payload, headers }) {
        const { organizationId } = yield* requireScope("voice:write")
        return yield* saved(organizationId, params.id, payload, readAtOf(headers))
      }),
      ...ofVersions.routes(find, saved),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("voice:write")
        yield* save.remove(organizationId, params.id).pipe(
          Effect.catchTags({
            AgentNotFound: notFound,
            Busy: busy,
            EngineProtocolError: ({ message }) => new ServerError({ error: message })
          })
        )
        return { id: params.id, deleted: true as const }
      }),
      calls: Effect.fnUntraced(function* ({ params, query }) {
        const caller = yield* requireScope("voice:read")
        yield* find(caller.organizationId, params.id)
        return yield* listCalls(caller, query, { agentId: params.id })
      }),
      call: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("voice:write")
        return yield* requestCall(organizationId, params.id, payload).pipe(
          Effect.catchTag("TooManyCalls", (full) => tooMany(tooManyCalls(full), freeSlotSeconds)),
          Effect.catchTags(callErrors)
        )
      }),
      testCall: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("voice:write")
        return yield* placeTestCall(organizationId, params.id, payload).pipe(
          Effect.catchTags({
            EngineProtocolError: (error) =>
              error.status === 429 ? tooMany(error.message, freeSlotSeconds) : Effect.fail(saveError(error)),
            AgentNotFound: notFound,
            InvalidAgent: saveError,
            AgentNotAllowed: saveError
          })
        )
      }),
      tryTool: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("voice:write")
        yield* countTry(organizationId)
        return yield* tryTool(organizationId, params.id, params.name, payload).pipe(
          Effect.catchTags({
            NoSuchTool: ({ name }) => new NotFound({ error: `This voice agent has no tool named "${name}".` }),
            AgentNotFound: notFound,
            InvalidAgent: saveError,
            AgentNotAllowed: saveError
          })
        )
      }),
      queue: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("voice:read")
        const { humanDestination: destination } = yield* find(organizationId, params.id)
        const lines = yield* transfers.lines(organizationId, yield* Clock.currentTimeMillis)
        return lines.find((line) => line.destination === destination) ?? { destination, dialing: null, waiting: [] }
      })
    })
  })
)
