/** In which knowledge bases the agent looks things up. */
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Card } from "../../components/Card.tsx"
import { ChangedMark } from "../../components/Field.tsx"
import { Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"

/** An agent has at most so many. */
const most = 10

export const KnowledgeField = ({
  value,
  set,
  changed,
  problem
}: {
  readonly value: ReadonlyArray<string>
  readonly set: (ids: ReadonlyArray<string>) => void
  readonly changed: boolean
  readonly problem: string | undefined
}) => {
  const session = useSession()
  const mayRead = can(session, "knowledge:read")
  const { data } = useQuery({
    queryKey: keys.knowledgeChoice,
    enabled: mayRead,
    queryFn: ({ signal }) => parley.knowledgeBases.list({ limit: 100 }, { signal }).then(({ data }) => data)
  })
  return (
    <Card title={t("Knowledge")} beside={changed && <ChangedMark />}>
      {!mayRead && <p>{t("{n, plural, one {# knowledge base} other {# knowledge bases}}", { n: value.length })}</p>}
      {mayRead && data === undefined && <Skeleton className="h-10" />}
      {data?.length === 0 && <p className="text-ink-3">{t("There are no knowledge bases yet.")}</p>}
      {data?.map(({ id, name, passages }) => (
        <label key={id} className="flex min-h-8 items-center gap-2.5 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={value.includes(id)}
            disabled={!value.includes(id) && value.length >= most}
            onChange={(event) => set(event.target.checked ? [...value, id] : value.filter((one) => one !== id))}
          />
          <span className="min-w-0 flex-1 truncate" dir="auto">
            {name}
          </span>
          <span className="num text-small text-ink-3">
            {t("{n, plural, one {# passage} other {# passages}}", { n: passages })}
          </span>
        </label>
      ))}
      {problem !== undefined && <p className="text-small text-danger">{problem}</p>}
      <p className="text-small text-ink-3">
        {t("At most {n}. The agent names what it found there.", { n: number(most) })}
      </p>
    </Card>
  )
}
