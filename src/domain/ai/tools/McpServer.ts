/** An external MCP server of an organization: its address, what it offers, and what a person has approved of that. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import { JsonRecord } from "../../basics/Json.ts"
import { oneLine, plainText } from "../../basics/PlainText.ts"
import { isRenamed, mcpDifference } from "./McpDifference.ts"
import { McpAuthorization, notAuthorized } from "./McpGrant.ts"
import { agentToolName, McpTool, mcpToolHash, mcpToolProblem } from "./McpTool.ts"

/** The most servers of one organization. */
export const mostMcpServers = 20

/** How a server is asked: the protocol's present form of HTTP, or its older pair of event stream and messages. */
const Transport = Schema.NullOr(Schema.Literals(["streamable_http", "sse"]))

const Health = Schema.Struct({
  /** `unknown`: not asked yet. `unauthorized`: it refuses the token, or needs one. */
  status: Schema.Literals(["unknown", "ok", "failing", "unauthorized"]),
  checkedAt: Schema.NullOr(Schema.String),
  /** The sentence that says what is wrong; null when nothing is. */
  error: Schema.NullOr(Schema.String)
})
export type McpHealth = typeof Health.Type

/** How requests to the server are authorized, without the secret. */
const Auth = Schema.Struct({
  /** `oauth`: a person authorizes it (`POST …/authorize`). */
  type: Schema.Literals(["none", "token", "oauth"]),
  /** Of OAuth: the client that was made at the authorization server by hand. Left out, we find or register one. */
  clientId: Schema.optionalKey(oneLine(2_000)),
  /** Of OAuth: the scopes to ask for, separated by blanks. Left out, those that the server names. */
  scope: Schema.optionalKey(oneLine(1_000))
})
export type McpAuth = typeof Auth.Type

/** A server as it is stored. */
export interface McpServer {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly url: string
  readonly timeoutMs: number
  readonly auth: McpAuth
  readonly transport: typeof Transport.Type
  readonly health: McpHealth
  readonly offered: ReadonlyArray<McpTool>
  readonly approved: ReadonlyArray<McpTool>
  /** Changes with the address and the credentials: a connection of an earlier revision is not used any more. */
  readonly revision: number
  readonly createdAt: string
  readonly updatedAt: string
}

const ShownTool = Schema.Struct({
  ...McpTool.fields,
  inputSchema: JsonRecord,
  /** A name for an agent's tool that no tool of another server has. */
  agentToolName: Schema.String,
  /** What `approve` takes: the hash of name, title, description and schema. */
  hash: Schema.String,
  /**
   * `approved`: agents have it. `new`: nobody has approved it. `changed`: it is not as it was approved; new calls do not have it. `gone`: approved, but
   * no longer offered. `unusable`: agents cannot have it.
   */
  status: Schema.Literals(["approved", "new", "changed", "gone", "unusable"]),
  /** What changed since the approval, or why the tool is unusable: sentences. */
  notes: Schema.Array(Schema.String)
})
export type ShownMcpTool = typeof ShownTool.Type

const exampleTool: McpTool = {
  name: "track_parcel",
  title: "Track a parcel",
  description: "Says where a parcel is. Use the number on the receipt.",
  inputSchema: { type: "object", properties: { number: { type: "string" } }, required: ["number"] }
}

export const ShownMcpServer = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  name: Schema.String,
  url: Schema.String,
  timeoutMs: Schema.Int,
  auth: Auth,
  /** How it stands with OAuth; null when the server is not authorized that way. */
  authorization: Schema.NullOr(McpAuthorization),
  transport: Transport,
  health: Health,
  tools: Schema.Array(ShownTool),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  identifier: "McpServer",
  examples: [
    {
      id: exampleIds.mcpServer,
      organizationId: exampleIds.organization,
      name: "Parcels",
      url: "https://mcp.parcels.example/mcp",
      timeoutMs: 8_000,
      auth: { type: "token" },
      authorization: null,
      transport: "streamable_http",
      health: { status: "ok", checkedAt: "2026-11-25T09:00:00.000Z", error: null },
      tools: [
        {
          ...exampleTool,
          agentToolName: agentToolName("Parcels", exampleTool),
          hash: mcpToolHash(exampleTool),
          status: "approved",
          notes: []
        }
      ],
      createdAt: "2026-11-25T08:55:00.000Z",
      updatedAt: "2026-11-25T09:00:00.000Z"
    }
  ]
})
export type ShownMcpServer = typeof ShownMcpServer.Type

/** A secret of an HTTP header: printable ASCII without blanks. */
const Secret = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(4_096),
  Schema.makeFilter((text: string) => /^[\x21-\x7e]+$/.test(text) || "must have printable characters, and no blanks.")
)

const GivenAuth = Schema.Struct({
  ...Auth.fields,
  token: Schema.optionalKey(Secret),
  clientSecret: Schema.optionalKey(Secret)
})

/** A new server, or all settings of a server. Secrets that are left out keep their value while the address is the same. */
export const GivenMcpServer = Schema.Struct({
  name: plainText(60),
  url: oneLine(2_000),
  timeoutMs: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 15_000 }))),
  auth: Schema.optionalKey(GivenAuth)
}).annotate({
  title: "McpServerSettings",
  examples: [
    { name: "Parcels", url: "https://mcp.parcels.example/mcp", auth: { type: "token", token: "pk_live_4Zt8Q2" } }
  ]
})
export type GivenMcpServer = typeof GivenMcpServer.Type

/** The tools that a person approves, by their hashes. Tools that are left out are not approved afterwards. */
export const ApprovedMcpTools = Schema.Struct({
  tools: Schema.Array(Schema.Struct({ name: Schema.String, hash: Schema.String })).check(Schema.isMaxLength(256))
}).annotate({
  title: "ApprovedMcpTools",
  examples: [{ tools: [] }]
})
export type ApprovedMcpTools = typeof ApprovedMcpTools.Type

/** The tool that agents have under this name: as it was approved, and offered unchanged. `undefined`: agents do not have it. */
export const usableMcpTool = (server: Pick<McpServer, "offered" | "approved">, name: string): McpTool | undefined => {
  const approved = server.approved.find((tool) => tool.name === name)
  const offered = server.offered.find((tool) => tool.name === name)
  return approved !== undefined && offered !== undefined && mcpToolHash(approved) === mcpToolHash(offered)
    ? approved
    : undefined
}

const notesAbout = ({ approved }: Pick<McpServer, "approved">, offered: ReadonlyArray<McpTool>, tool: McpTool) => {
  const before = approved.find(({ name }) => name === tool.name)
  if (before !== undefined) {
    const notes = mcpDifference(before, tool)
    return notes.length > 0 ? notes : ["Only the order within its schema has changed."]
  }
  const other = approved.find((one) => isRenamed(one, tool) && !offered.some(({ name }) => name === one.name))
  return other === undefined ? [] : [`It is like "${other.name}", which is gone: it may be the same under a new name.`]
}

/** A server as it is shown, with the state of each tool and of its authorization, if it has one. */
export const shownMcpServer = (
  { offered, approved, revision: _, ...server }: McpServer,
  authorization: McpAuthorization = notAuthorized
): ShownMcpServer => {
  const show = (tool: McpTool, status: ShownMcpTool["status"], notes: ReadonlyArray<string>): ShownMcpTool => ({
    ...tool,
    agentToolName: agentToolName(server.name, tool),
    hash: mcpToolHash(tool),
    status,
    notes
  })
  const present = offered.map((tool) => {
    const problem = mcpToolProblem(tool)
    if (problem !== undefined) return show(tool, "unusable", [problem])
    if (usableMcpTool({ offered, approved }, tool.name) !== undefined) return show(tool, "approved", [])
    const status = approved.some(({ name }) => name === tool.name) ? "changed" : "new"
    return show(tool, status, notesAbout({ approved }, offered, tool))
  })
  const gone = approved.filter(({ name }) => !offered.some((tool) => tool.name === name))
  return {
    ...server,
    authorization: server.auth.type === "oauth" ? authorization : null,
    tools: [...present, ...gone.map((tool) => show(tool, "gone", []))]
  }
}

/** HTTP 409: two servers of one organization would give their tools the same names. */
export class DuplicateMcpServer extends Schema.TaggedError<DuplicateMcpServer>()("DuplicateMcpServer", {
  name: Schema.String
}) {}

/** The settings of a server that a request changes, and what goes with them. */
export interface McpServerChange {
  readonly name: string
  readonly url: string
  readonly timeoutMs: number
  readonly auth: McpAuth
  /** Its new secrets; `undefined`: they stay. */
  readonly secrets: McpSecrets | undefined
  /** Another server: what the former one offered and what was approved of it is forgotten. */
  readonly another: boolean
  /** The grant of OAuth, if there is one, does not hold any more. */
  readonly ungranted: boolean
}

/** What a server's requests are authorized with. Stored encrypted; no answer shows it. */
export const McpSecrets = Schema.Struct({
  token: Schema.optionalKey(Schema.String),
  clientSecret: Schema.optionalKey(Schema.String)
})
export type McpSecrets = typeof McpSecrets.Type

/** Port of the stored servers. */
export class McpServers extends Context.Service<
  McpServers,
  {
    /** All servers, newest first. */
    readonly list: (organizationId: string) => Effect.Effect<ReadonlyArray<McpServer>>
    readonly find: (organizationId: string, id: string) => Effect.Effect<McpServer | undefined>
    /** `undefined` when the organization has as many as it may. */
    readonly create: (
      organizationId: string,
      change: McpServerChange
    ) => Effect.Effect<McpServer | undefined, DuplicateMcpServer>
    readonly change: (
      organizationId: string,
      id: string,
      change: McpServerChange
    ) => Effect.Effect<McpServer | undefined, DuplicateMcpServer>
    readonly remove: (organizationId: string, id: string) => Effect.Effect<void>
    readonly secrets: (organizationId: string, id: string) => Effect.Effect<McpSecrets>
    /** Stores what the server of this revision offers; `undefined` for `seen`: as before. An earlier revision changes nothing. */
    readonly observe: (
      server: Pick<McpServer, "organizationId" | "id" | "revision">,
      health: McpHealth,
      seen?: { readonly transport: McpServer["transport"]; readonly offered: ReadonlyArray<McpTool> }
    ) => Effect.Effect<McpServer | undefined>
    readonly approve: (
      organizationId: string,
      id: string,
      approved: ReadonlyArray<McpTool>
    ) => Effect.Effect<McpServer | undefined>
    /** Whether a call is under way whose agent has a tool of this server. */
    readonly isInUse: (organizationId: string, id: string) => Effect.Effect<boolean>
  }
>()("parley/domain/McpServers") {}
