import { Effect } from "effect"
import {
  type InvalidMcpServer,
  type McpConflict,
  type McpNotAllowed,
  makeManageMcpServers
} from "../../../domain/ai/tools/ManageMcpServers.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"

const known = { NoSuchMcpServer: () => new NotFound({ error: "There is no such MCP server." }) }
const allowed = { McpNotAllowed: ({ message }: McpNotAllowed) => new Forbidden({ error: message }) }
const valid = { InvalidMcpServer: ({ message }: InvalidMcpServer) => new BadRequest({ error: message }) }
const free = { McpConflict: ({ message }: McpConflict) => new Conflict({ error: message }) }

/** Needs McpServers, McpClient, Organizations and Audit. */
export const layer = group(
  AppApi,
  "mcpServers",
  Effect.fn(function* (handlers) {
    const manage = yield* makeManageMcpServers

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
