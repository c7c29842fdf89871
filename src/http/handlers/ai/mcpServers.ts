import { Effect } from "effect"
import { type McpNotAuthorized, makeAuthorizeMcpServer } from "../../../domain/ai/tools/AuthorizeMcpServer.ts"
import {
  type InvalidMcpServer,
  type McpConflict,
  type McpNotAllowed,
  makeManageMcpServers
} from "../../../domain/ai/tools/ManageMcpServers.ts"
import { AppApi } from "../../groups/Api.ts"
import { requirePerson, requireScope } from "../../middleware/Authorization.ts"
import { ownClient } from "../../server/McpAddress.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { OwnAddress } from "../../wire/OwnAddress.ts"

const known = { NoSuchMcpServer: () => new NotFound({ error: "There is no such MCP server." }) }
const allowed = { McpNotAllowed: ({ message }: McpNotAllowed) => new Forbidden({ error: message }) }
const valid = { InvalidMcpServer: ({ message }: InvalidMcpServer) => new BadRequest({ error: message }) }
const free = { McpConflict: ({ message }: McpConflict) => new Conflict({ error: message }) }

const authorizable = { McpNotAuthorized: ({ message }: McpNotAuthorized) => new BadRequest({ error: message }) }

const forPeople = "An API key cannot authorize an MCP server: a person has to agree at its provider. Please sign in."

/** Needs McpServers, McpGrants, McpClient, McpOAuth, Organizations, OwnAddress and Audit. */
export const layer = group(
  AppApi,
  "mcpServers",
  Effect.fn(function* (handlers) {
    const manage = yield* makeManageMcpServers
    const authorization = yield* makeAuthorizeMcpServer
    const { publicBaseUrl } = yield* OwnAddress

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { organizationId } = yield* requireScope("admin")
        return { data: yield* manage.list(organizationId) }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.create(organizationId, payload), {
          ...allowed,
          ...valid,
          ...free,
          ...known
        })
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.find(organizationId, params.id), known)
      }),
      change: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.change(organizationId, params.id, payload), {
          ...allowed,
          ...valid,
          ...free,
          ...known
        })
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        yield* Effect.catchTags(manage.remove(organizationId, params.id), known)
        return { id: params.id, deleted: true as const }
      }),
      test: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.test(organizationId, params.id), { ...allowed, ...known })
      }),
      authorize: Effect.fnUntraced(function* ({ params }) {
        yield* requireScope("admin")
        const { organizationId, userId } = yield* requirePerson(forPeople)
        const begun = authorization.begin(organizationId, params.id, userId, ownClient(publicBaseUrl))
        return { url: yield* Effect.catchTags(begun, { ...allowed, ...authorizable, ...known }) }
      }),
      approve: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* Effect.catchTags(manage.approve(organizationId, params.id, payload), {
          ...allowed,
          ...valid,
          ...free,
          ...known
        })
      })
    })
  })
)
