/** Where one writes: a reply to the contact or a note for colleagues, with templates, quick replies and files. Drafts survive a reload. */
import type { Conversation } from "@parley/client"
import { CheckCheck, Clock, FileText, Lock, MapPin, Paperclip, Slash, Smile, Sparkles, X } from "lucide-react"
import { lazy, Suspense, useEffect, useRef, useState } from "react"
import { enqueue } from "../../api/outbox.ts"
import type { Person } from "../../api/people.ts"
import { sayTyping, sayWritten } from "../../api/presence.ts"
import { Button } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Segmented } from "../../components/Segmented.tsx"
import { size, weekdayClock } from "../../lib/format.ts"
import { language, t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { readDraft, writeDraft } from "../../lib/storage.ts"
import { useNow } from "../../lib/time.ts"
import { say } from "../../lib/toasts.ts"
import { bodyOf, fitting } from "../templates/template.ts"
import { useTemplates } from "../templates/useTemplates.ts"
import { isWindowOpen } from "../thread/window.ts"
import type { Opened } from "./ComposerPickers.tsx"
import { useSending } from "./useSending.ts"

// Opened by a press, and fetched then.
const ComposerPickers = lazy(() => import("./ComposerPickers.tsx"))

const mostCharacters = 4_096
const mostFileBytes = 16 * 1024 * 1024

export interface ComposerProps {
  readonly conversation: Conversation
  /** The AI agent that answers in this conversation. */
  readonly agent: Person | undefined
  /** Makes the agent silent, and the conversation one's own. */
  readonly onTakeOver: () => void
  /** Resolves the conversation, and opens the next one. */
  readonly onResolve: () => void
  readonly onReopen: () => Promise<void>
}

export const Composer = ({ conversation, agent, onTakeOver, onResolve, onReopen }: ComposerProps) => {
  const { id, contact, window: reply, channel, status } = conversation
  const now = useNow()
  const [mode, setMode] = useState<"reply" | "note">(channel === "team_chat" ? "note" : "reply")
  const draftName = `${id}.${mode}`
  const [text, setText] = useState(() => readDraft(draftName))
  const [file, setFile] = useState<File>()
  const sending = useSending(conversation)
  const { busy } = sending
  const [opened, setOpened] = useState<Opened>()
  const field = useRef<HTMLTextAreaElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const last = useRef("")

  useEffect(() => setText(readDraft(draftName)), [draftName])
  const write = (next: string) => {
    setText(next)
    writeDraft(draftName, next)
    if (next !== "") sayTyping(id)
  }

  const isClosed = channel === "messaging" && !isWindowOpen(conversation, now)
  const closed = mode === "reply" && isClosed
  const templates = useTemplates(closed)

  const turnTo = (next: "reply" | "note") => {
    setMode(next)
    requestAnimationFrame(() => field.current?.focus())
  }
  /** What is sent to a contact whose conversation is resolved would begin another one, out of sight: this one goes on. */
  const goOn = async () => {
    if (status === "RESOLVED") await onReopen()
  }
  const send = async (resolve = false) => {
    const said = text.trim()
    if (busy || closed || (said === "" && file === undefined)) return
    if (mode === "note") {
      if (said !== "" && (await sending.note(said))) write("")
      return
    }
    last.current = said
    sayWritten(id)
    if (file === undefined) {
      write("")
      await goOn()
      await sending.text(said)
    } else {
      await goOn()
      if (!(await sending.file(file, said))) return
      setFile(undefined)
      write("")
    }
    if (resolve) onResolve()
  }
  const take = (chosen: File | undefined) => {
    if (chosen === undefined) return
    if (chosen.size > mostFileBytes)
      return say(t("{name} is larger than {megabytes} MB.", { name: chosen.name, megabytes: 16 }), undefined, "bad")
    setFile(chosen)
  }
  const keyed = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const mod = event.ctrlKey || event.metaKey
    if (event.key === "Enter" && mod) void send(event.shiftKey)
    else if (event.key === "/" && text === "" && mode === "reply") setOpened("quick")
    else if (event.key === "u" && mod) input.current?.click()
    else if (event.key === ";" && mod) setOpened("emoji")
    else if (event.key === "ArrowUp" && text === "" && last.current !== "") write(last.current)
    else if (event.key === "Escape") field.current?.blur()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  useKeys({
    r: () => (isClosed ? setOpened("template") : turnTo("reply")),
    n: () => turnTo("note"),
    "Mod+u": () => input.current?.click(),
    "Mod+;": () => !closed && setOpened("emoji")
  })

  const usable = fitting(templates.data ?? [], language() === "hi" ? "hi" : "en")
  return (
    <section
      aria-label={t("Write")}
      className="border-t border-line bg-surface px-2.5 pt-2 pb-3 md:px-5"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer.files[0])
      }}
    >
      {agent !== undefined && (
        <p className="mb-2 flex flex-wrap items-center gap-2 rounded-control bg-ai-soft ps-3 pe-1.5 py-1 text-ai">
          <Icon of={Sparkles} size={14} />
          <span className="min-w-0 flex-1">{t("{name} answers here by itself.", { name: agent.name })}</span>
          <Button small keys="M" aria-keyshortcuts="m" onClick={onTakeOver}>
            {t("Take over")}
          </Button>
        </p>
      )}
      <div className="mb-1.5 flex flex-wrap items-center gap-1.5">
        <Segmented
          label={t("Write to")}
          value={mode}
          options={[
            ...(channel === "team_chat" ? [] : [{ value: "reply" as const, label: t("Reply"), keys: "R" }]),
            { value: "note" as const, label: t("Note"), keys: "N" }
          ]}
          onChange={turnTo}
        />
        <span className="flex-1" />
        {mode === "note" ? (
          <Chip tone="warn" icon={Lock}>
            {t("Only colleagues see this")}
          </Chip>
        ) : channel === "voice" ? (
          <Chip>{t("Goes out as a WhatsApp message")}</Chip>
        ) : closed ? (
          <Chip tone="warn" icon={Clock}>
            {t("Free text is closed: choose a template")}
          </Chip>
        ) : (
          reply?.expiresAt && (
            <Chip tone="good" icon={Clock}>
              {t("Free text until {time}", { time: weekdayClock(reply.expiresAt) })}
            </Chip>
          )
        )}
      </div>
      {closed ? (
        <div className="flex flex-col gap-2 rounded-card border border-line-strong bg-bg p-3">
          <p className="text-ink-2">
            {t("24 hours have passed since the last message of the contact. WhatsApp now takes templates only.")}
          </p>
          <div className="flex flex-wrap gap-1.5">
            {usable.slice(0, 3).map((one) => (
              <Button key={one.id} small onClick={() => setOpened(one)} title={bodyOf(one)}>
                {one.name}
              </Button>
            ))}
            <Button small tone="primary" icon={FileText} onClick={() => setOpened("template")}>
              {t("All templates")}
            </Button>
          </div>
          {text !== "" && <p className="text-small text-ink-3">{t("What you have written is kept.")}</p>}
        </div>
      ) : (
        <div
          className={`rounded-card border bg-surface focus-within:border-accent focus-within:ring-2 focus-within:ring-accent-soft ${mode === "note" ? "border-warn" : "border-line-strong"}`}
        >
          <textarea
            ref={field}
            dir="auto"
            rows={2}
            aria-label={mode === "note" ? t("Note for colleagues") : t("Reply to the contact")}
            aria-keyshortcuts="Control+Enter"
            placeholder={
              mode === "note" ? t("What should colleagues know?") : t("Write a reply, or / for a quick reply")
            }
            maxLength={mostCharacters}
            value={text}
            onChange={(event) => write(event.target.value)}
            onKeyDown={keyed}
            onPaste={(event) => {
              const [pasted] = event.clipboardData.files
              if (pasted === undefined || mode === "note") return
              event.preventDefault()
              take(pasted)
            }}
            className="field-sizing-content block max-h-[40vh] min-h-12 w-full resize-none bg-transparent px-3 pt-2 outline-none"
          />
          {file !== undefined && (
            <p className="mx-2 flex items-center gap-2 rounded-lg bg-sunken ps-3 text-small">
              <Icon of={Paperclip} size={14} />
              <bdi className="min-w-0 truncate">{file.name}</bdi>
              <span className="num text-ink-3">{size(file.size)}</span>
              <span className="flex-1" />
              <Button small tone="quiet" icon={X} label={t("Take the file away")} onClick={() => setFile(undefined)} />
            </p>
          )}
          <div className="flex flex-wrap items-center gap-0.5 px-1.5 pb-1.5">
            {mode === "reply" && (
              <>
                <input
                  ref={input}
                  type="file"
                  className="hidden"
                  tabIndex={-1}
                  aria-hidden="true"
                  accept="image/jpeg,image/png,image/webp,application/pdf,.docx,audio/mpeg,audio/ogg,video/mp4"
                  onChange={(event) => {
                    take(event.target.files?.[0])
                    event.target.value = ""
                  }}
                />
                <Button
                  small
                  tone="quiet"
                  icon={Paperclip}
                  label={t("Attach a file")}
                  onClick={() => input.current?.click()}
                />
                <Button
                  small
                  tone="quiet"
                  icon={MapPin}
                  label={t("Send a place or a contact card")}
                  onClick={() => setOpened("more")}
                />
                <Button small tone="quiet" icon={FileText} onClick={() => setOpened("template")}>
                  <span className="max-md:sr-only">{t("Template")}</span>
                </Button>
                <Button small tone="quiet" icon={Slash} onClick={() => setOpened("quick")}>
                  <span className="max-md:sr-only">{t("Quick reply")}</span>
                </Button>
              </>
            )}
            <Button
              small
              tone="quiet"
              icon={Smile}
              label={t("Emoji")}
              aria-keyshortcuts="Control+;"
              onClick={() => setOpened("emoji")}
            />
            <span className="flex-1" />
            {mode === "reply" && conversation.status !== "RESOLVED" && (
              <Button
                tone="quiet"
                icon={CheckCheck}
                label={t("Send and resolve")}
                aria-keyshortcuts="Control+Shift+Enter"
                disabled={busy || (text.trim() === "" && file === undefined)}
                onClick={() => void send(true)}
              />
            )}
            <Button
              tone="primary"
              keys="Ctrl ↵"
              aria-keyshortcuts="Control+Enter"
              disabled={busy || (text.trim() === "" && file === undefined)}
              onClick={() => void send()}
            >
              {busy ? t("Sending…") : mode === "note" ? t("Keep note") : t("Send")}
            </Button>
          </div>
        </div>
      )}
      <Suspense>
        {opened !== undefined && (
          <ComposerPickers
            opened={opened}
            contact={contact}
            text={text}
            field={field}
            onOpen={setOpened}
            onWrite={write}
            onSend={(body) => void goOn().then(() => enqueue(id, body))}
          />
        )}
      </Suspense>
    </section>
  )
}
