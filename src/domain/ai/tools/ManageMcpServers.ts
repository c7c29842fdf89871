/**
 * Use case: an organization's external MCP servers. What a server offers is used only after a person has approved it, tool by tool, and only as it was
 * then. The audit log records each change.
 */
import { Effect, Result, Schema } from "effect"
import { traced } from "../../basics/Traced.ts"
import { Audit, changedFields } from "../../people/access/Audit.ts"
import { makePlanRefusal } from "../../people/organizations/PlanGate.ts"
import { McpClient } from "./McpClient.ts"
import { type McpGrant, McpGrants } from "./McpGrant.ts"
import { McpOAuth } from "./McpOAuth.ts"
import {
  type ApprovedMcpTools,
  type GivenMcpServer,
  type McpServer,
  McpServers,
  mostMcpServers,
  shownMcpServer
} from "./McpServer.ts"
import { mcpServerChange } from "./McpSettings.ts"
import { type McpTool, mcpToolHash, mcpToolProblem } from "./McpTool.ts"

/** HTTP 400. */
export class InvalidMcpServer extends Schema.TaggedError<InvalidMcpServer>()("InvalidMcpServer", {
  message: Schema.String
}) {}
/** HTTP 403: the plan does not allow it. */
export class McpNotAllowed extends Schema.TaggedError<McpNotAllowed>()("McpNotAllowed", { message: Schema.String }) {}
/** HTTP 404. */
export class NoSuchMcpServer extends Schema.TaggedError<NoSuchMcpServer>()("NoSuchMcpServer", {}) {}
/** HTTP 409: not possible in the present state. */
export class McpConflict extends Schema.TaggedError<McpConflict>()("McpConflict", { message: Schema.String }) {}

/** A server as the audit log shows it. */
const audited = ({ name, url, timeoutMs, auth, approved }: McpServer) => ({
  name,
  url,
  timeoutMs,
  auth,
  approved: approved.map((tool) => ({ name: tool.name, hash: mcpToolHash(tool) }))
})

const kept = <A>(changed: A | undefined) =>
  changed === undefined ? Effect.fail(new NoSuchMcpServer()) : Effect.succeed(changed)

const duplicate = ({ name }: { readonly name: string }) =>
  new McpConflict({
    message: `There is already an MCP server whose tools would have the same names as those of "${name}".`
  })

/** Needs the stores, Organizations, Audit and McpClient; the functions it returns need nothing. */
export const makeManageMcpServers = Effect.gen(function* () {
  const servers = yield* McpServers
  const refusalOf = yield* makePlanRefusal
  const audit = yield* Audit
  const client = yield* McpClient
  const grants = yield* McpGrants
  const oauth = yield* McpOAuth

  const allowed = Effect.fnUntraced(function* (organizationId: string) {
    const refusal = yield* refusalOf(organizationId, "integrations")
    if (refusal !== undefined) return yield* new McpNotAllowed({ message: refusal })
  })

  const existing = (organizationId: string, id: string) => Effect.flatMap(servers.find(organizationId, id), kept)

  const changeOf = (given: GivenMcpServer, before?: McpServer) =>
    Effect.mapError(
      Effect.fromResult(mcpServerChange(given, client.refusal, before)),
      (message) => new InvalidMcpServer({ message })
    )

  /** The server after it was asked. A server that cannot be asked is shown with that: `health` says why. */
  const asked = Effect.fnUntraced(function* (server: McpServer) {
    yield* Effect.result(client.test(server))
    return yield* find(server.organizationId, server.id)
  })

  const list = Effect.fnUntraced(function* (organizationId: string) {
    const authorizations = yield* grants.list(organizationId)
    return (yield* servers.list(organizationId)).map((server) => shownMcpServer(server, authorizations.get(server.id)))
  })

  const shown = (server: McpServer) =>
    Effect.map(grants.list(server.organizationId), (authorizations) =>
      shownMcpServer(server, authorizations.get(server.id))
    )

  const find = (organizationId: string, id: string) => Effect.flatMap(existing(organizationId, id), shown)

  /** Tells the authorization server that we need the grant no more. It is gone here, whatever the answer is. */
  const revoke = (grant: McpGrant | undefined) =>
    grant === undefined
      ? Effect.void
      : Effect.catch(oauth.revoke(grant.tokens), ({ message }) =>
          Effect.logWarning("an authorization server still has the grant of an MCP server that was removed", {
            organizationId: grant.organizationId,
            serverId: grant.serverId,
            reason: message
          })
        )

  /** Stores a server and asks it what it offers. */
  const create = traced("ManageMcpServers.create")(function* (organizationId: string, given: GivenMcpServer) {
    yield* allowed(organizationId)
    const change = yield* changeOf(given)
    const made = Effect.flatMap(Effect.mapError(servers.create(organizationId, change), duplicate), (server) =>
      server === undefined
        ? new McpConflict({ message: `An organization may have ${mostMcpServers} MCP servers.` })
        : Effect.succeed(server)
    )
    const server = yield* audit.recorded(organizationId, made, (server) => ({
      action: "mcp_server.created",
      subjectId: server.id,
      after: audited(server)
    }))
    return yield* asked(server)
  })

  /** Replaces the settings. Another address is another server: nothing of it is approved. */
  const change = traced("ManageMcpServers.change")(function* (
    organizationId: string,
    id: string,
    given: GivenMcpServer
  ) {
    yield* allowed(organizationId)
    const before = yield* existing(organizationId, id)
    const change = yield* changeOf(given, before)
    const changed = Effect.flatMap(Effect.mapError(servers.change(organizationId, id, change), duplicate), kept)
    const after = yield* audit.recorded(organizationId, changed, (after) => ({
      action: "mcp_server.updated",
      subjectId: id,
      ...changedFields(audited(before), audited(after))
    }))
    yield* client.forget(id)
    if (change.ungranted) {
      const grant = yield* grants.find(organizationId, id)
      yield* grants.remove(organizationId, id)
      yield* revoke(grant)
    }
    return yield* asked(after)
  })

  const remove = traced("ManageMcpServers.remove")(function* (organizationId: string, id: string) {
    const before = yield* existing(organizationId, id)
    const grant = yield* grants.find(organizationId, id)
    yield* audit.recorded(organizationId, servers.remove(organizationId, id), () => ({
      action: "mcp_server.deleted",
      subjectId: id,
      before: audited(before)
    }))
    yield* client.forget(id)
    yield* revoke(grant)
  })

  /** Connects anew and reads what the server offers. */
  const test = traced("ManageMcpServers.test")(function* (organizationId: string, id: string) {
    yield* allowed(organizationId)
    return yield* asked(yield* existing(organizationId, id))
  })

  /**
   * The tool with this hash: as it is offered, or as it was approved. A person approves what they have read, so a tool that has changed since is a
   * conflict.
   */
  const chosen = (
    { offered, approved }: McpServer,
    name: string,
    hash: string
  ): Result.Result<McpTool, McpConflict> => {
    const known = [...offered, ...approved].find((tool) => tool.name === name && mcpToolHash(tool) === hash)
    const conflict = (message: string) => Result.fail(new McpConflict({ message }))
    if (known === undefined)
      return conflict(
        offered.some((tool) => tool.name === name)
          ? `The tool "${name}" has changed meanwhile. Read it again before you approve it.`
          : `The server offers no tool "${name}".`
      )
    const problem = mcpToolProblem(known)
    return problem === undefined ? Result.succeed(known) : conflict(`Agents cannot have the tool "${name}". ${problem}`)
  }

  const approve = traced("ManageMcpServers.approve")(function* (
    organizationId: string,
    id: string,
    { tools }: ApprovedMcpTools
  ) {
    yield* allowed(organizationId)
    const before = yield* existing(organizationId, id)
    const unique = new Map(tools.map(({ name, hash }) => [name, hash]))
    if (unique.size < tools.length) return yield* new InvalidMcpServer({ message: "tools names a tool twice." })
    const approved = yield* Effect.forEach(unique, ([name, hash]) => Effect.fromResult(chosen(before, name, hash)))
    const change = Effect.flatMap(servers.approve(organizationId, id, approved), kept)
    const after = yield* audit.recorded(organizationId, change, (after) => ({
      action: "mcp_server.approved",
      subjectId: id,
      ...changedFields(audited(before), audited(after))
    }))
    return yield* shown(after)
  })

  return { list, find, create, change, remove, test, approve, allowed, existing, asked }
})
