/** One running call: its words as they are spoken, and how one steps in: listen, whisper, say, talk in the agent's place, hand over, end. */
import type { LiveCall } from "@parley/client"
import { Link, useNavigate } from "@tanstack/react-router"
import { Ear, Headset, PhoneOff, X } from "lucide-react"
import { useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { useNamer } from "../../api/people.ts"
import { useSession } from "../../api/session.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Kbd } from "../../components/Kbd.tsx"
import { can } from "../../lib/can.ts"
import { length } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { sayProblem, say as tell } from "../../lib/toasts.ts"
import { LiveTranscript } from "../calls/LiveTranscript.tsx"
import { useLiveWords } from "../calls/useLiveWords.ts"
import { useActions } from "../shell/actions.ts"
import { ageOf, numberOf, StateChip } from "./LiveList.tsx"
import { LiveListening } from "./LiveListening.tsx"
import { isWithPerson } from "./live.ts"

const longest = 500
/** The second `X` must come within so many milliseconds. */
const twiceMs = 2_000

interface WordsProps {
  readonly call: LiveCall
  readonly field: React.RefObject<HTMLTextAreaElement | null>
  /** False while a person has the call: then the agent can only be whispered to. */
  readonly maySay: boolean
}

/** Words for the agent: it says them, or only it hears them. */
const WordsForAgent = ({ call, field, maySay }: WordsProps) => {
  const [text, setText] = useState("")
  const [busy, setBusy] = useState(false)
  const send = async (how: "say" | "whisper") => {
    if (text.trim() === "" || busy) return
    setBusy(true)
    try {
      await parley.calls[how](call.id, { text: text.trim() })
      setText("")
      if (how === "whisper") tell(t("Only the agent heard it. It heeds it from its next answer on."))
    } catch (cause) {
      sayProblem(cause)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="rounded-card border border-line-strong bg-surface p-2 focus-within:border-accent">
      <textarea
        ref={field}
        aria-label={t("Words for the agent")}
        aria-keyshortcuts="S W"
        rows={2}
        maxLength={longest}
        dir="auto"
        placeholder={
          maySay
            ? t("The agent says this in its own voice, or only hears it.")
            : t("The agent hears this, and the caller does not.")
        }
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            void send(maySay && !event.shiftKey ? "say" : "whisper")
          } else if (event.key === "Escape") {
            event.stopPropagation()
            event.currentTarget.blur()
          }
        }}
        className="w-full resize-none bg-transparent px-1 outline-none"
      />
      <div className="flex items-center gap-2">
        <span className="flex-1 text-small text-ink-3">
          <Kbd>S</Kbd>
        </span>
        <Button
          small
          icon={Ear}
          keys="Ctrl ⇧ ↵"
          disabled={busy || text.trim() === ""}
          onClick={() => void send("whisper")}
        >
          {t("Whisper")}
        </Button>
        {maySay && (
          <Button
            small
            tone="primary"
            keys="Ctrl ↵"
            disabled={busy || text.trim() === ""}
            onClick={() => void send("say")}
          >
            {t("Say this now")}
          </Button>
        )}
      </div>
    </div>
  )
}

export const LiveDetail = ({ call, now }: { readonly call: LiveCall; readonly now: number }) => {
  const session = useSession()
  const navigate = useNavigate()
  const nameOf = useNamer()
  const field = useRef<HTMLTextAreaElement>(null)
  const armed = useRef(0)
  const [ending, setEnding] = useState(false)
  const { lines, spoken } = useLiveWords(call.id)
  const mayControl = can(session, "calls:control")
  const agent = call.agentId === null ? t("the agent") : nameOf(call.agentId).name
  const withPerson = isWithPerson(call)
  const withAgent = !["queued", "ringing", "waiting", "human"].includes(call.state)
  const steps = mayControl && (withAgent || withPerson)
  const toField = () => field.current?.focus()

  const command = async (run: () => Promise<unknown>, done: string) => {
    try {
      await run()
      tell(done)
    } catch (cause) {
      sayProblem(cause)
    }
  }
  const end = () => {
    setEnding(false)
    armed.current = 0
    void command(() => parley.calls.end(call.id), t("The agent says goodbye and hangs up."))
  }
  /** Once asks, twice ends. */
  const endTwice = () => {
    if (Date.now() - armed.current < twiceMs) return end()
    armed.current = Date.now()
    setEnding(true)
    setTimeout(() => setEnding(false), twiceMs)
  }
  const handOver = () => void command(() => parley.calls.transfer(call.id), t("The agent hands the caller over."))
  const close = () => void navigate({ to: "/live", search: {}, replace: true })
  useKeys({
    Escape: close,
    ...(steps ? { s: toField, w: toField, t: handOver, x: endTwice } : {})
  })
  useActions(
    steps
      ? [
          { id: "say", label: t("Say this now"), keys: "S", group: t("This call"), run: toField },
          { id: "whisper", label: t("Whisper to the agent"), keys: "W", group: t("This call"), run: toField },
          { id: "human", label: t("Hand to a human"), keys: "T", group: t("This call"), run: handOver },
          { id: "end", label: t("End call"), keys: "X X", group: t("This call"), run: end }
        ]
      : []
  )
  return (
    <section
      aria-label={t("Call with {name}", { name: numberOf(call) })}
      className="fixed inset-0 z-40 flex flex-col border-line bg-surface lg:static lg:z-auto lg:w-[404px] lg:shrink-0 lg:border-s"
    >
      <div className="flex flex-col gap-1 border-b border-line px-4 py-3">
        <div className="flex items-center gap-2">
          <h2 className="num min-w-0 truncate text-title font-semibold">{numberOf(call)}</h2>
          <StateChip call={call} now={now} />
          <span className="flex-1" />
          <b className="num font-semibold">{length(ageOf(call, now))}</b>
          <Button small tone="quiet" icon={X} label={t("Close")} onClick={close} />
        </div>
        <p className="flex flex-wrap gap-x-2 text-small text-ink-3">
          <bdi>{agent}</bdi>
          {call.contactId !== null && (
            <Link to="/contacts/$id" params={{ id: call.contactId }} className="text-accent underline">
              {t("Contact")}
            </Link>
          )}
          <Link to="/calls/$id" params={{ id: call.id }} className="text-accent underline">
            {t("Call page")}
          </Link>
        </p>
      </div>
      <LiveTranscript lines={lines} spoken={spoken} names={{ caller: t("Caller"), agent }} />
      {mayControl && (
        <div className="flex flex-col gap-2 border-t border-line p-3">
          {withAgent || withPerson ? (
            <>
              <LiveListening call={call} key={call.id} />
              <WordsForAgent call={call} field={field} maySay={withAgent} />
              <div className="flex flex-wrap gap-2">
                <Button icon={Headset} keys="T" className="flex-1" onClick={handOver}>
                  {t("Hand to a human")}
                </Button>
                <button
                  type="button"
                  onClick={endTwice}
                  className={`${buttonClass({ tone: "danger" })} flex-1 ${ending ? "bg-danger-soft" : ""}`}
                >
                  <Icon of={PhoneOff} /> {ending ? t("Once more to end") : t("End call")} <Kbd>X</Kbd>
                </button>
              </div>
            </>
          ) : (
            <p className="text-ink-3">{t("No agent has the call at this moment.")}</p>
          )}
        </div>
      )}
    </section>
  )
}
