/** Where one is signed in, and the way to end each of it. */
import type { OwnSession } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Monitor } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSessionState } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { ErrorBlock, Skeleton } from "../../components/States.tsx"
import { browserName } from "../../lib/browserName.ts"
import { moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { say } from "../../lib/toasts.ts"
import { cardClass } from "./Row.tsx"

const Listed = ({ session, onEnd }: { readonly session: OwnSession; readonly onEnd: () => void }) => {
  const { current, userAgent, ip, createdAt, lastSeenAt, expiresAt } = session
  const name = browserName(userAgent) ?? t("Unknown browser")
  const details = [
    ...(ip === null ? [] : [ip]),
    t("since {time}", { time: moment(createdAt) }),
    current ? t("until {time}", { time: moment(expiresAt) }) : t("last seen {time}", { time: moment(lastSeenAt) })
  ]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2.5">
      <Icon of={Monitor} className="text-ink-3" />
      <div className="min-w-52 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium" title={userAgent ?? undefined}>
          <bdi>{name}</bdi>
          {current && <Chip tone="good">{t("This browser")}</Chip>}
        </p>
        <p className="num text-small text-ink-3">{details.join(" · ")}</p>
      </div>
      <Button small onClick={onEnd}>
        {current ? t("Sign out") : t("End the session")}
      </Button>
    </li>
  )
}

export const OwnSessions = () => {
  const client = useQueryClient()
  const { signOut } = useSessionState()
  const { data, error, refetch } = useQuery({
    queryKey: keys.ownSessions,
    queryFn: ({ signal }) => parley.sessions.list({ signal }).then((answer) => answer.data),
    // Other browsers sign in without telling this one.
    staleTime: 0
  })
  const end = async (session: OwnSession) => {
    if (session.current) return signOut()
    const before = client.getQueryData<ReadonlyArray<OwnSession>>(keys.ownSessions)
    client.setQueryData<ReadonlyArray<OwnSession>>(keys.ownSessions, (all) =>
      all?.filter(({ id }) => id !== session.id)
    )
    try {
      await parley.sessions.end(session.id)
      say(t("The session has ended."))
    } catch (cause) {
      client.setQueryData(keys.ownSessions, before)
      say(sentenceOf(cause), undefined, "bad")
    }
  }
  return (
    <section aria-label={t("Where you are signed in")} className={`${cardClass} py-4 pb-1.5`}>
      <h2 className="mb-2 text-title font-semibold">{t("Where you are signed in")}</h2>
      {error !== null ? (
        <ErrorBlock error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="mb-3 h-16" />
      ) : (
        <ul>
          {data.map((session) => (
            <Listed key={session.id} session={session} onEnd={() => void end(session)} />
          ))}
        </ul>
      )}
    </section>
  )
}
