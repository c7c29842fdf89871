/** Runs a tool once, as it stands in the form. */
import type { ToolTry as Answer } from "@parley/client"
import { Play } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { Button } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { JsonField } from "../../components/JsonField.tsx"
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { agentRules, settingsOf, type Tool } from "./draft.ts"
import { useForm } from "./form.ts"
import { sampleArguments } from "./tools.ts"

export const ToolTry = ({ tool }: { readonly tool: Tool }) => {
  const { agent, draft } = useForm()
  const [given, setGiven] = useState(() => sampleArguments(tool))
  const [answer, setAnswer] = useState<Answer>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setProblem(undefined)
    setAnswer(undefined)
    try {
      const changes = agentRules.changesOf(settingsOf(agent), draft)
      // A tool may have effects: a lost answer is not asked for again by running it twice.
      setAnswer(await parley.voiceAgents.tryTool(agent.id, tool.name, { arguments: given, draft: changes }))
    } catch (cause) {
      setProblem(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label={t("Try it")} className="flex flex-col gap-2 rounded-lg bg-sunken p-3">
      <JsonField
        label={t("Try it with")}
        rows={3}
        value={given}
        onChange={(next) => setGiven(next ?? {})}
        hint={t("It really runs, with what is in this form, also what is not saved.")}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button small icon={Play} disabled={busy} onClick={() => void run()}>
          {busy ? t("Running…") : t("Run once")}
        </Button>
        {answer !== undefined && (
          <>
            <Chip tone={answer.outcome === "ok" ? "good" : "danger"}>
              {answer.outcome === "ok" ? "ok" : t("failed")}
            </Chip>
            <span className="num text-small text-ink-3">
              {number(answer.durationMs, { style: "unit", unit: "millisecond" })}
            </span>
          </>
        )}
      </div>
      <div role="status">
        {problem !== undefined && <p className="text-danger">{problem}</p>}
        {answer !== undefined && (
          <pre className="max-h-48 overflow-auto rounded-lg border border-line bg-surface p-2 font-mono text-small whitespace-pre-wrap">
            {answer.result}
          </pre>
        )}
      </div>
    </section>
  )
}
