/** The test call beside the form: one's own microphone, the words as they come, how long each answer took. */
import { Link } from "@tanstack/react-router"
import { Mic, PhoneOff, RotateCcw, X } from "lucide-react"
import { useEffect, useState } from "react"
import { useCallEvents } from "../../api/callEvents.ts"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { length } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import type { Settings } from "../agents/draft.ts"
import { activityName } from "../calls/activity.ts"
import { LiveTranscript } from "../calls/LiveTranscript.tsx"
import { useLiveWords } from "../calls/useLiveWords.ts"
import { Level } from "./Level.tsx"
import { useTestCall } from "./useTestCall.ts"

const useSecondsSince = (since: number | undefined): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (since === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [since])
  return since === undefined ? 0 : (now - since) / 1000
}

export interface TestPanelProps {
  readonly agentId: string
  readonly agentName: string
  /** The changes that are not saved. */
  readonly changes: Partial<Settings>
  readonly onClose: () => void
}

export const TestPanel = ({ agentId, agentName, changes, onClose }: TestPanelProps) => {
  const { call, start, end, loudness } = useTestCall(agentId)
  const callId = call.phase === "running" || call.phase === "over" ? call.callId : undefined
  const { lines, spoken } = useLiveWords(callId)
  const [activity, setActivity] = useState<string>()
  useCallEvents((event) => {
    if (event.type === "call.updated" && event.data.call.id === callId) setActivity(activityName(event.data.call.state))
  })
  const running = call.phase === "running"
  const elapsed = useSecondsSince(running ? call.since : undefined)
  const begin = () => {
    setActivity(undefined)
    void start(changes)
  }
  useKeys({ Escape: running ? end : onClose })
  const unsaved = Object.keys(changes).length > 0
  return (
    <section
      aria-label={t("Test call")}
      className="fixed inset-0 z-40 flex flex-col border-line bg-surface lg:static lg:z-auto lg:w-[376px] lg:shrink-0 lg:border-s"
    >
      <div className="flex flex-col gap-2 border-b border-line px-4 py-3">
        <div className="flex items-center gap-2">
          <h2 className="font-semibold">{t("Test call")}</h2>
          {unsaved && <Chip tone="warn">{t("with your unsaved changes")}</Chip>}
          <span className="flex-1" />
          {running && <b className="num font-semibold">{length(elapsed)}</b>}
          <Button small tone="quiet" icon={X} label={t("Close the test")} onClick={onClose} />
        </div>
        <Level loudness={loudness} />
        <p className="flex items-center gap-1.5 text-small text-ink-3">
          <Icon of={Mic} size={14} />
          <span className="min-w-0 flex-1 truncate">
            {running && call.microphone !== "" ? call.microphone : t("Microphone of this browser")}
          </span>
          <span role="status">{running && activity !== undefined ? activity : t("nothing is billed")}</span>
        </p>
      </div>
      {call.phase === "idle" ? (
        <div className="flex flex-1 flex-col items-center justify-center gap-2 p-6 text-center">
          <p className="font-medium">{t("Talk to {name}", { name: agentName })}</p>
          <p className="max-w-72 text-ink-3">
            {t("A call like any, with disclosure, tools and content filter. It cannot be handed to a human.")}
          </p>
        </div>
      ) : (
        <LiveTranscript lines={lines} spoken={spoken} names={{ caller: t("You"), agent: agentName }} />
      )}
      <div role="status" className="px-4">
        {call.phase === "opening" && (
          <p className="py-2 text-ink-3">
            {call.what === "microphone" ? t("Waiting for the microphone…") : t("Calling…")}
          </p>
        )}
        {call.phase === "over" && (
          <p className={`py-2 ${call.problem === undefined ? "text-ink-3" : "text-danger"}`}>
            {call.problem ?? t("The call is over.")}{" "}
            {call.callId !== undefined && (
              <Link to="/calls/$id" params={{ id: call.callId }} className="font-medium text-accent underline">
                {t("Open the call")}
              </Link>
            )}
          </p>
        )}
      </div>
      <div className="flex gap-2 border-t border-line p-3">
        {running || call.phase === "opening" ? (
          <button type="button" onClick={end} className={`${buttonClass({ tone: "danger" })} flex-1`}>
            <Icon of={PhoneOff} /> {t("End test")}
          </button>
        ) : (
          <Button tone="primary" icon={call.phase === "idle" ? Mic : RotateCcw} className="flex-1" onClick={begin}>
            {call.phase === "idle" ? t("Start test") : t("Again")}
          </Button>
        )}
      </div>
    </section>
  )
}
