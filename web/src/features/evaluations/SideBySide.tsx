/** What was said in one run, or in two beside each other: conversation by conversation. */
import type { EvaluationResult } from "@parley/client"
import { useSearch } from "@tanstack/react-router"
import { Check, X } from "lucide-react"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { cx } from "../../lib/classes.ts"
import { moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { isPlayed, useRun } from "./useEvaluations.ts"
import { outcomeNames, runState } from "./words.ts"

type Conversation = EvaluationResult["conversations"][number]
type Step = Conversation["steps"][number]

const bubble = "rounded-lg px-2.5 py-1.5 whitespace-pre-line [overflow-wrap:anywhere]"

const Played = ({
  step: { contact, human, handBack, resolve, said, tools, outcome, problems }
}: {
  readonly step: Step
}) => (
  <li className="flex flex-col gap-1">
    {contact.map((text, at) => (
      <p key={at} dir="auto" className={`${bubble} max-w-[90%] self-start bg-contact-soft`}>
        {text}
      </p>
    ))}
    {human !== null && (
      <p dir="auto" className={`${bubble} max-w-[90%] self-end bg-accent-soft`}>
        {human}
      </p>
    )}
    {handBack && <p className="text-small text-ink-3">{t("It is given back to the agent")}</p>}
    {resolve && <p className="text-small text-ink-3">{t("It is resolved")}</p>}
    {tools.map((tool, at) => (
      <p key={at} dir="ltr" className="self-end font-mono text-small text-ink-3 [overflow-wrap:anywhere]">
        {tool.name} {tool.arguments}
      </p>
    ))}
    {said.map((text, at) => (
      <p key={at} dir="auto" className={`${bubble} max-w-[90%] self-end bg-ai-soft`}>
        {text}
      </p>
    ))}
    {outcome !== "answered" && contact.length > 0 && (
      <p className="self-end text-small text-ink-3">{t(outcomeNames[outcome])}</p>
    )}
    {problems.map((problem) => (
      <p key={problem} className="rounded-lg bg-danger-soft px-2.5 py-1 text-danger [overflow-wrap:anywhere]">
        {problem}
      </p>
    ))}
  </li>
)

const One = ({ of }: { readonly of: Conversation | undefined }) =>
  of === undefined ? (
    <p className="text-ink-3">{t("It is not in this run.")}</p>
  ) : (
    <div className="flex min-w-0 flex-col gap-2">
      <span>
        <Chip tone={of.passed ? "good" : "danger"} icon={of.passed ? Check : X}>
          {of.passed ? t("as expected") : t("not as expected")}
        </Chip>
      </span>
      <ol className="flex flex-col gap-2.5">
        {of.steps.map((step, at) => (
          <Played key={at} step={step} />
        ))}
      </ol>
    </div>
  )

const Head = ({ run }: { readonly run: EvaluationResult }) => {
  const { tone, text } = runState(run)
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-2">
      <bdi className="truncate font-medium">{run.agentName}</bdi>
      <span className="num text-small text-ink-3">{moment(run.createdAt)}</span>
      <Chip tone={tone}>{text}</Chip>
    </p>
  )
}

export const SideBySide = ({ evaluationId }: { readonly evaluationId: string }) => {
  const { left, right } = useSearch({ from: "/signed-in/evaluations/$id" })
  const first = useRun(evaluationId, left)
  const second = useRun(evaluationId, right)
  if (left === undefined) return null
  const failed = [first, second].find(({ error }) => error !== null)
  if (failed !== undefined) return <ErrorBlock error={failed.error} again={() => void failed.refetch()} />
  const runs = [first.data, ...(right === undefined ? [] : [second.data])]
  if (runs.some((run) => run === undefined)) return <ListSkeleton />
  const shown = runs.filter((run) => run !== undefined)
  const names = [...new Set(shown.flatMap(({ conversations }) => conversations.map(({ name }) => name)))]
  const columns = cx("grid gap-4", shown.length === 2 && "md:grid-cols-2")
  return (
    <section aria-label={t("What was said")} className="flex flex-col gap-3">
      <div className={columns}>
        {shown.map((run) => (
          <Head key={run.id} run={run} />
        ))}
      </div>
      {shown.some(isPlayed) && (
        <p role="status" className="text-ink-3">
          {t("What was said is shown once all is played.")}
        </p>
      )}
      {names.map((name) => (
        <Card key={name} title={name}>
          <div className={columns}>
            {shown.map((run) => (
              <One key={run.id} of={run.conversations.find((one) => one.name === name)} />
            ))}
          </div>
        </Card>
      ))}
    </section>
  )
}
