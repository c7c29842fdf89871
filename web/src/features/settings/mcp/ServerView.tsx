/** One MCP server of others: how it stands, who authorized us there, and its tools. */
import type { McpServer } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Pencil, RefreshCw, Trash2 } from "lucide-react"
import { useEffect, useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useNamer } from "../../../api/people.ts"
import { Button } from "../../../components/Button.tsx"
import { Card } from "../../../components/Card.tsx"
import { Chip } from "../../../components/Chip.tsx"
import { PageBody, PageHead } from "../../../components/Page.tsx"
import { NoRecord, Skeleton } from "../../../components/States.tsx"
import { moment } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { useTask } from "../../../lib/task.ts"
import { sayAndHold, sayProblem } from "../../../lib/toasts.ts"
import { Facts } from "../parts/Facts.tsx"
import { healthLooks } from "./health.ts"
import { ServerForm } from "./ServerForm.tsx"
import { ToolList } from "./ToolList.tsx"

/** Whether a person has let us in there, and the way to do it. */
const Authorization = ({ server: { id, authorization } }: { readonly server: McpServer }) => {
  const nameOf = useNamer()
  if (authorization === null) return null
  const { status, authorizedBy, authorizedAt, scopes, wanted } = authorization
  const authorize = async () => {
    // Opened at once, while the press still counts: later the browser would take it for an advertisement.
    const opened = window.open("about:blank", "parley-mcp-authorization", "popup,width=560,height=720")
    try {
      const { url } = await parley.mcpServers.authorize(id)
      if (opened === null) location.assign(url)
      else opened.location.replace(url)
    } catch (cause) {
      opened?.close()
      sayProblem(cause)
    }
  }
  return (
    <Card title={t("Authorization")}>
      <p className={status === "authorized" ? "text-ink-2" : "text-warn"}>
        {status === "needed"
          ? t("Nobody has authorized us there yet.")
          : status === "lost"
            ? t("Our authorization is not taken any more.")
            : t("{name} has authorized us, {time}.", {
                name: nameOf(authorizedBy ?? "").name,
                time: authorizedAt === null ? "" : moment(authorizedAt)
              })}
      </p>
      {scopes.length > 0 && <Facts of={[[t("Scopes"), scopes.join(", ")]]} />}
      {wanted.length > 0 && <p className="text-warn">{t("It wants more: {scopes}", { scopes: wanted.join(", ") })}</p>}
      <Button
        tone={status === "authorized" && wanted.length === 0 ? "plain" : "primary"}
        className="self-start"
        onClick={() => void authorize()}
      >
        {status === "authorized" ? t("Authorize again") : t("Authorize")}
      </Button>
    </Card>
  )
}

const Loaded = ({ server }: { readonly server: McpServer }) => {
  const { id, name, url, health, transport } = server
  const client = useQueryClient()
  const navigate = useNavigate()
  const [changing, setChanging] = useState(false)
  const { busy, run } = useTask()
  const look = healthLooks[health.status]
  const test = () =>
    run(async () => {
      client.setQueryData(keys.mcpServer(id), await parley.mcpServers.test(id, { timeoutMs: 30_000 }))
    })
  /** The service cannot bring it back, so it is deleted when its message has gone. */
  const remove = () => {
    void navigate({ to: "/settings/mcp" })
    sayAndHold(
      t("{name} is being deleted…", { name }),
      { label: t("Undo"), run: () => void navigate({ to: "/settings/mcp/$id", params: { id } }) },
      () =>
        void parley.mcpServers
          .remove(id)
          .then(() => client.invalidateQueries({ queryKey: keys.mcpServers }), sayProblem)
    )
  }
  return (
    <>
      <PageHead title={name} beside={<Chip tone={look.tone}>{t(look.name)}</Chip>}>
        <Button icon={RefreshCw} disabled={busy} onClick={test}>
          {t("Ask it again")}
        </Button>
        <Button icon={Pencil} onClick={() => setChanging(true)}>
          {t("Change")}
        </Button>
        <Button tone="danger" icon={Trash2} label={t("Delete")} onClick={remove} />
      </PageHead>
      <PageBody>
        {health.error !== null && (
          <p role="status" className="rounded-card bg-danger-soft px-4 py-3 text-danger [overflow-wrap:anywhere]">
            {health.error}
          </p>
        )}
        <Card title={t("Connection")}>
          <Facts
            of={[
              [
                t("Address"),
                <span key="url" dir="ltr" className="font-mono text-small">
                  {url}
                </span>
              ],
              ...(transport === null
                ? []
                : [[t("It speaks"), transport === "sse" ? "HTTP+SSE" : "Streamable HTTP"] as const]),
              ...(health.checkedAt === null ? [] : [[t("Last tried"), moment(health.checkedAt)] as const])
            ]}
          />
        </Card>
        <Authorization server={server} />
        <ToolList key={server.tools.map(({ hash, status }) => hash + status).join()} server={server} />
      </PageBody>
      {changing && <ServerForm server={server} onClose={() => setChanging(false)} onSaved={() => undefined} />}
    </>
  )
}

export const ServerView = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useQuery({
    queryKey: keys.mcpServer(id),
    queryFn: ({ signal }) => parley.mcpServers.get(id, { signal }),
    staleTime: 0
  })
  useEffect(() => {
    // One comes back from the window in which one has authorized us.
    const back = () => void refetch()
    addEventListener("focus", back)
    return () => removeEventListener("focus", back)
  }, [refetch])
  if (data !== undefined) return <Loaded server={data} />
  if (error === null) return <Skeleton className="m-6 h-10 w-64" />
  return (
    <NoRecord
      error={error}
      again={() => void refetch()}
      title={t("This MCP server does not exist.")}
      to="/settings/mcp"
      list={t("To the MCP servers")}
    />
  )
}
