/** The evaluations of the organization: conversations that are played with its text agents. */
import type { EvaluationSummary } from "@parley/client"
import { Link, useNavigate } from "@tanstack/react-router"
import { ChevronRight, FlaskConical } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"
import { useSession } from "../../api/session.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Listed } from "../../components/Listed.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { Empty } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { ago } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"
import { useMaking } from "../shell/useMaking.tsx"
import { EvaluationForm } from "./EvaluationForm.tsx"

const Row = ({ evaluation: { id, name, size, updatedAt } }: { readonly evaluation: EvaluationSummary }) => {
  const now = useNow()
  return (
    <li className="not-last:border-b not-last:border-line">
      <Link
        to="/evaluations/$id"
        params={{ id }}
        className="flex items-center gap-3 px-4 py-2.5 hover:bg-hover focus-visible:outline-offset-[-2px]"
      >
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <bdi className="min-w-0 flex-1 basis-56 truncate font-medium">{name}</bdi>
          <span className="num text-small text-ink-3">
            {t("{n, plural, one {# conversation} other {# conversations}}", { n: size })} · {ago(updatedAt, now)}
          </span>
        </span>
        <Icon of={ChevronRight} className="shrink-0 text-ink-3 rtl:rotate-180" />
      </Link>
    </li>
  )
}

export const EvaluationList = () => {
  const navigate = useNavigate()
  const mayWrite = can(useSession(), "agents:write")
  const list = useNumbered({
    queryKey: keys.evaluations,
    read: (at, signal) => parley.evaluations.list(at, { signal })
  })
  const { making, close, button } = useMaking("new-evaluation", t("New evaluation"), FlaskConical, mayWrite)
  return (
    <>
      <PageHead title={t("Evaluations")}>{button}</PageHead>
      <PageBody wide>
        <Listed
          list={list}
          empty={
            <Empty title={t("No evaluations yet.")}>
              {t(
                "Write down what contacts ask and what the agent shall say. Play it after each change of the agent, and compare."
              )}
            </Empty>
          }
        >
          {(all) => (
            <ul aria-label={t("Evaluations")} className="rounded-card border border-line bg-surface">
              {all.map((evaluation) => (
                <Row key={evaluation.id} evaluation={evaluation} />
              ))}
            </ul>
          )}
        </Listed>
      </PageBody>
      {making && (
        <EvaluationForm
          onClose={close}
          onSaved={({ id }) => void navigate({ to: "/evaluations/$id", params: { id } })}
        />
      )}
    </>
  )
}
