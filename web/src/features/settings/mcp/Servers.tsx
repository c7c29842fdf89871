/** The MCP servers of others whose tools agents may use. */
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { Plus } from "lucide-react"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Button } from "../../../components/Button.tsx"
import { Card } from "../../../components/Card.tsx"
import { Chip } from "../../../components/Chip.tsx"
import { ErrorBlock, Skeleton } from "../../../components/States.tsx"
import { t } from "../../../lib/i18n.ts"
import { useKeys } from "../../../lib/keyboard.ts"
import { healthLooks, wantsSomebody } from "./health.ts"
import { ServerForm } from "./ServerForm.tsx"

export const Servers = ({ available }: { readonly available: boolean }) => {
  const navigate = useNavigate()
  const [adding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: keys.mcpServers,
    queryFn: ({ signal }) => parley.mcpServers.list({ signal }).then((answer) => answer.data),
    staleTime: 0
  })
  useKeys({ n: () => available && setAdding(true) })
  return (
    <Card
      title={t("MCP servers of others")}
      beside={
        available && (
          <Button small icon={Plus} keys="N" onClick={() => setAdding(true)}>
            {t("Add a server")}
          </Button>
        )
      }
    >
      {error !== null && data === undefined ? (
        <ErrorBlock error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-12" />
      ) : data.length === 0 ? (
        <p className="text-ink-3">
          {t("None. Voice agents call tools of such servers in mid-call, once somebody has approved each tool.")}
        </p>
      ) : (
        <ul aria-label={t("MCP servers of others")} className="-mx-4 -my-2">
          {data.map((server) => {
            const look = healthLooks[server.health.status]
            const waiting = wantsSomebody(server)
            return (
              <li key={server.id} className="not-last:border-b not-last:border-line">
                <Link
                  to="/settings/mcp/$id"
                  params={{ id: server.id }}
                  className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-hover focus-visible:outline-offset-[-2px]"
                >
                  <span className="min-w-0 flex-1 basis-52">
                    <bdi className="block truncate font-medium">{server.name}</bdi>
                    <span className="block truncate text-small text-ink-3" dir="ltr">
                      {server.url}
                    </span>
                  </span>
                  {waiting > 0 && (
                    <Chip tone="warn">
                      {t("{n, plural, one {# tool to look at} other {# tools to look at}}", { n: waiting })}
                    </Chip>
                  )}
                  <Chip tone={look.tone}>{t(look.name)}</Chip>
                </Link>
              </li>
            )
          })}
        </ul>
      )}
      {adding && (
        <ServerForm
          onClose={() => setAdding(false)}
          onSaved={({ id }) => void navigate({ to: "/settings/mcp/$id", params: { id } })}
        />
      )}
    </Card>
  )
}
