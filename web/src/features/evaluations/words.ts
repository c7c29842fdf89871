/** What outcomes and states of runs are called. */
import type { EvaluationResult, EvaluationRun } from "@parley/client"
import type { ChipTone } from "../../components/Chip.tsx"
import { number } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"

type Step = EvaluationResult["conversations"][number]["steps"][number]

export const outcomeNames: Readonly<Record<Step["outcome"], string>> = {
  answered: message("It answers"),
  handed_over: message("It hands over to a colleague"),
  resolved: message("It resolves the conversation"),
  silent: message("It says nothing")
}

/** How a run does, in a word or two. */
export const runState = ({
  state,
  done,
  total,
  passed
}: EvaluationRun): { readonly tone: ChipTone; readonly text: string } => {
  const counts = { done: number(done), passed: number(passed), total: number(total) }
  switch (state) {
    case "queued":
      return { tone: "plain", text: t("Waiting") }
    case "running":
      return { tone: "accent", text: t("{done} of {total} played", { done: counts.done, total: counts.total }) }
    case "failed":
      return { tone: "danger", text: t("Failed") }
    case "done":
      return {
        tone: passed === total ? "good" : "warn",
        text: t("{passed} of {total} passed", { passed: counts.passed, total: counts.total })
      }
  }
}
