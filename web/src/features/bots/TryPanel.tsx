/** The try-out beside the form: one writes as a contact, and reads what the agent would answer. Nothing is sent to anybody. */
import type { TextAgentAnswer, TextAgentChanges, TextAgentTry } from "@parley/client"
import { RotateCcw, Send, X } from "lucide-react"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { Button } from "../../components/Button.tsx"
import { Checkbox } from "../../components/Checkbox.tsx"
import { Chip } from "../../components/Chip.tsx"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { newKey } from "../../lib/newKey.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { TriedAnswer, textsOf } from "./TriedAnswer.tsx"

type Turn =
  | { readonly key: string; readonly from: "contact"; readonly text: string }
  | { readonly key: string; readonly from: "agent"; readonly answer: TextAgentAnswer }

/** The most messages that the service takes. */
const most = 60

/** The conversation as the service reads it. */
const messagesOf = (turns: ReadonlyArray<Turn>): TextAgentTry["messages"] =>
  turns
    .flatMap((turn): TextAgentTry["messages"] =>
      turn.from === "contact"
        ? [{ from: "contact", text: turn.text }]
        : textsOf(turn.answer).map((text) => ({ from: "agent", text }))
    )
    .slice(-most)

export const TryPanel = ({
  agentId,
  agentName,
  changes,
  onClose
}: {
  readonly agentId: string
  readonly agentName: string
  /** What is not saved. */
  readonly changes: TextAgentChanges
  readonly onClose: () => void
}) => {
  const [turns, setTurns] = useState<ReadonlyArray<Turn>>([])
  const [typed, setTyped] = useState("")
  const [runTools, setRunTools] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const end = useRef<HTMLDivElement>(null)
  const asking = useRef<AbortController>(undefined)
  useKeys({ Escape: onClose })
  useEffect(() => () => asking.current?.abort(), [])
  useEffect(() => {
    if (turns.length > 0) end.current?.scrollIntoView({ block: "end" })
  }, [turns])
  const last = turns.at(-1)
  const over = last?.from === "agent" && last.answer.outcome !== "answered" && last.answer.outcome !== "failed"

  const ask = async (next: ReadonlyArray<Turn>) => {
    const own = new AbortController()
    asking.current = own
    setBusy(true)
    setProblem(undefined)
    try {
      const body = { messages: messagesOf(next), draft: changes, runTools }
      // A tool may have effects: a lost answer is not asked for again.
      const answer = await parley.textAgents.tryOut(agentId, body, { signal: own.signal, retries: 0 })
      setTurns([...next, { key: newKey(), from: "agent", answer }])
    } catch (cause) {
      if (!own.signal.aborted) setProblem(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    const text = typed.trim()
    if (text === "" || busy || over) return
    const next: ReadonlyArray<Turn> = [...turns, { key: newKey(), from: "contact", text }]
    setTurns(next)
    setTyped("")
    void ask(next)
  }
  const restart = () => {
    asking.current?.abort()
    setTurns([])
    setProblem(undefined)
  }
  const unsaved = Object.keys(changes).length > 0
  return (
    <section
      aria-label={t("Try it")}
      className="fixed inset-0 z-40 flex flex-col border-line bg-surface lg:static lg:z-auto lg:w-[376px] lg:shrink-0 lg:border-s"
    >
      <div className="flex flex-col gap-1 border-b border-line px-4 py-3">
        <div className="flex items-center gap-2">
          <h2 className="font-semibold">{t("Try it")}</h2>
          {unsaved && <Chip tone="warn">{t("with your unsaved changes")}</Chip>}
          <span className="flex-1" />
          <Button small tone="quiet" icon={RotateCcw} label={t("Begin anew")} onClick={restart} />
          <Button small tone="quiet" icon={X} label={t("Close the try-out")} onClick={onClose} />
        </div>
        <Checkbox
          label={t("Run tools")}
          detail={t("They really run. Without it a tool fails; knowledge is looked up in any case.")}
          checked={runTools}
          onChange={setRunTools}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it. */}
      <div tabIndex={0} className="scroll-thin min-h-0 flex-1 overflow-y-auto p-4 outline-offset-[-2px]">
        {turns.length === 0 && (
          <p className="py-8 text-center text-ink-3">
            {t("Write as a contact would. {name} answers as in a conversation, and nobody gets it. Its tokens count.", {
              name: agentName
            })}
          </p>
        )}
        <ol aria-label={t("Tried conversation")} aria-live="polite" className="flex flex-col gap-2">
          {turns.map((turn) =>
            turn.from === "contact" ? (
              <li
                key={turn.key}
                dir="auto"
                className="max-w-[85%] self-start rounded-card bg-contact-soft px-3 py-2 whitespace-pre-line [overflow-wrap:anywhere]"
              >
                {turn.text}
              </li>
            ) : (
              <TriedAnswer key={turn.key} answer={turn.answer} />
            )
          )}
        </ol>
        <div role="status">
          {busy && <p className="mt-2 text-ink-3">{t("{name} writes…", { name: agentName })}</p>}
          {over && <p className="mt-2 text-ink-3">{t("The agent is silent from here on. Begin anew.")}</p>}
        </div>
        {problem !== undefined && (
          <div role="alert" className="mt-2 flex flex-wrap items-center gap-2 text-danger">
            <span className="min-w-0 flex-1">{problem}</span>
            <Button small onClick={() => void ask(turns)}>
              {t("Try again")}
            </Button>
          </div>
        )}
        <div ref={end} />
      </div>
      <form onSubmit={send} className="flex gap-2 border-t border-line p-3">
        <input
          aria-label={t("Message of the contact")}
          maxLength={4_096}
          dir="auto"
          autoComplete="off"
          value={typed}
          disabled={over}
          onChange={(event) => setTyped(event.target.value)}
          className="h-8 min-w-0 flex-1 rounded-control border border-line-strong bg-surface px-2.5 disabled:opacity-60 pointer-coarse:h-11"
        />
        <Button
          type="submit"
          tone="primary"
          icon={Send}
          label={t("Send")}
          disabled={busy || over || typed.trim() === ""}
        />
      </form>
    </section>
  )
}
