/** Changes that were given up, and webhooks that could not be read: each or all of them can be tried again. */
import type { Integration, IntegrationConnection } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { RotateCcw } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { type Numbered, useNumbered } from "../../api/numbered.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Listed } from "../../components/Listed.tsx"
import { moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useTask } from "../../lib/task.ts"
import { say } from "../../lib/toasts.ts"
import { showIntegration } from "./useIntegrations.ts"
import { triggers } from "./words.ts"

interface Shown {
  readonly id: string
  readonly what: string
  readonly contactId?: string
  readonly error: string | null
  readonly at: string
}

const List = ({
  title,
  list,
  again,
  all
}: {
  readonly title: string
  readonly list: Numbered<Shown>
  readonly again: (id: string) => Promise<{ readonly queued: number }>
  readonly all: () => Promise<{ readonly queued: number }>
}) => {
  const { busy, run } = useTask()
  const replay = (work: () => Promise<{ readonly queued: number }>) => () =>
    run(async () => {
      const { queued } = await work()
      say(t("{n, plural, one {# is tried again.} other {# are tried again.}}", { n: queued }))
    })
  return (
    <Card
      title={title}
      beside={
        <Button small icon={RotateCcw} disabled={busy} onClick={replay(all)}>
          {t("Try all again")}
        </Button>
      }
    >
      <Listed list={list} empty={null}>
        {(shown) => (
          <ul>
            {shown.map(({ id, what, contactId, error, at }) => (
              <li key={id} className="flex items-start gap-3 border-line py-2 not-last:border-b">
                <span className="min-w-0 flex-1">
                  {contactId === undefined ? (
                    <span className="font-medium">{what}</span>
                  ) : (
                    <Link to="/contacts/$id" params={{ id: contactId }} className="font-medium hover:underline">
                      {what}
                    </Link>
                  )}{" "}
                  <span className="num text-small text-ink-3">{moment(at)}</span>
                  <span className="block break-words text-danger">{error}</span>
                </span>
                <Button
                  small
                  icon={RotateCcw}
                  label={t("Try again: {name}, {time}", { name: what, time: moment(at) })}
                  disabled={busy}
                  onClick={replay(() => again(id))}
                />
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Card>
  )
}

export const Problems = ({
  integration: { provider },
  connection
}: {
  readonly integration: Integration
  readonly connection: IntegrationConnection
}) => {
  const client = useQueryClient()
  const key = keys.integrationLists(provider)
  const changes = useNumbered<Shown>({
    queryKey: [...key, "problems"],
    enabled: connection.problems > 0,
    read: async (at, signal) => {
      const found = await parley.integrations.problems(provider, at, { signal })
      return {
        ...found,
        data: found.data.map(({ id, trigger, contactId, error, givenUpAt }) => ({
          ...{ id, contactId, error, what: t(triggers[trigger]), at: givenUpAt }
        }))
      }
    }
  })
  const arrivals = useNumbered<Shown>({
    queryKey: [...key, "arrivals"],
    enabled: connection.arrivalProblems > 0,
    read: async (at, signal) => {
      const found = await parley.integrations.arrivals(provider, { ...at, problems: "true" }, { signal })
      return {
        ...found,
        data: found.data.map(({ id, topic, error, createdAt }) => ({ id, error, what: topic, at: createdAt }))
      }
    }
  })
  const renewed = async (work: Promise<{ readonly queued: number }>) => {
    const answer = await work
    showIntegration(client, await parley.integrations.get(provider))
    return answer
  }
  return (
    <>
      {connection.problems > 0 && (
        <List
          title={t("Changes that were given up")}
          list={changes}
          again={(id) => renewed(parley.integrations.replay(provider, id))}
          all={() => renewed(parley.integrations.replayAll(provider))}
        />
      )}
      {connection.arrivalProblems > 0 && (
        <List
          title={t("Webhooks that could not be read")}
          list={arrivals}
          again={(id) => renewed(parley.integrations.replayArrival(provider, id))}
          all={() => renewed(parley.integrations.replayArrivals(provider))}
        />
      )}
    </>
  )
}
