/** What runs a tool: an address of the organization, this service, or a server that speaks MCP. The latter two say themselves what a tool is for. */
import type { BuiltinTool, McpServer } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Select } from "../../components/Field.tsx"
import { isAdmin } from "../../lib/can.ts"
import { t } from "../../lib/i18n.ts"
import type { Tool } from "./draft.ts"
import { runBy } from "./tools.ts"

export type AgentKind = BuiltinTool["agents"][number]

type McpHandler = Extract<NonNullable<Tool["handler"]>, { readonly type: "mcp" }>

const useBuiltins = (kind: AgentKind) =>
  useQuery({
    queryKey: keys.builtinTools,
    queryFn: ({ signal }) => parley.builtinTools.list({ signal }).then(({ data }) => data),
    select: (all) => all.filter(({ agents }) => agents.includes(kind))
  }).data ?? []

/** The approved tools of MCP servers. Only owners and admins see them, and only they change agents. */
const useApproved = () => {
  const isAsked = isAdmin(useSession())
  const servers =
    useQuery({
      queryKey: keys.mcpServers,
      enabled: isAsked,
      queryFn: ({ signal }) => parley.mcpServers.list({ signal }).then(({ data }) => data)
    }).data ?? []
  const approved = servers.flatMap(({ id, name, tools }) =>
    tools.filter(({ status }) => status === "approved").map((tool) => ({ ...tool, serverId: id, serverName: name }))
  )
  return { isAsked, approved }
}

type Approved = McpServer["tools"][number] & { readonly serverId: string; readonly serverName: string }

const noParameters = { type: "object", properties: {} } as const

/** The server's own words are enough, so the tool begins without any. */
const ofServer = ({ serverId, name, agentToolName }: Approved) => ({
  ...{ name: agentToolName, description: "", parameters: noParameters },
  handler: { type: "mcp", serverId, tool: name } as const
})

const ofService = ({ name, description, parameters }: BuiltinTool) => ({
  ...{ name, description, parameters },
  handler: { type: "builtin", name } as const
})

const mcpKey = ({ serverId, tool }: Pick<McpHandler, "serverId" | "tool">) => `${serverId} ${tool}`

export const RunsIt = ({
  tool,
  others,
  kind,
  onChange
}: {
  readonly tool: Tool
  /** The names of the agent's other tools. */
  readonly others: ReadonlyArray<string>
  readonly kind: AgentKind
  readonly onChange: (tool: Tool) => void
}) => {
  const { handler } = tool
  const builtins = useBuiltins(kind)
  const { isAsked, approved } = useApproved()
  const type = handler?.type ?? "http"
  const begin = (next: string) => {
    const [builtin] = builtins.filter(({ name }) => !others.includes(name)).concat(builtins)
    const [foreign] = approved
    if (next === "builtin" && builtin !== undefined) onChange(runBy(tool, ofService(builtin), others))
    else if (next === "mcp" && foreign !== undefined) onChange(runBy(tool, ofServer(foreign), others))
    else if (next === "http") onChange({ ...tool, handler: { type: "http", url: "https://", method: "POST" } })
  }
  return (
    <>
      <Select
        label={t("What runs it")}
        value={type}
        hint={
          isAsked && approved.length === 0 ? (
            <Link to="/settings/mcp" className="underline underline-offset-2">
              {t("Approve tools of an MCP server, and they stand here, too.")}
            </Link>
          ) : undefined
        }
        options={[
          ["http", t("An address of yours")],
          ...(builtins.length > 0 || type === "builtin" ? [["builtin", t("This service")] as const] : []),
          ...(approved.length > 0 || type === "mcp" ? [["mcp", t("An MCP server")] as const] : [])
        ]}
        onChange={(event) => begin(event.target.value)}
      />
      {handler?.type === "builtin" && (
        <Select
          label={t("Built-in tool")}
          value={handler.name}
          options={[
            ...(builtins.every(({ name }) => name !== handler.name) ? [[handler.name, handler.name] as const] : []),
            ...builtins.map(({ name }) => [name, name] as const)
          ]}
          onChange={(event) => {
            const chosen = builtins.find(({ name }) => name === event.target.value)
            if (chosen !== undefined) onChange(runBy(tool, ofService(chosen), others))
          }}
        />
      )}
      {handler?.type === "mcp" && (
        <Select
          label={t("Tool of the server")}
          hint={t("Its MCP server says what it is for and what it is asked with.")}
          value={mcpKey(handler)}
          options={[
            ...(approved.every(({ serverId, name }) => mcpKey({ serverId, tool: name }) !== mcpKey(handler))
              ? [[mcpKey(handler), handler.tool] as const]
              : []),
            ...approved.map(
              ({ serverId, serverName, name }) => [mcpKey({ serverId, tool: name }), `${serverName}: ${name}`] as const
            )
          ]}
          onChange={(event) => {
            const chosen = approved.find(
              ({ serverId, name }) => mcpKey({ serverId, tool: name }) === event.target.value
            )
            if (chosen !== undefined) onChange(runBy(tool, ofServer(chosen), others))
          }}
        />
      )}
    </>
  )
}
