/**
 * What was said with a contact, the newest at the bottom. Older pages come while scrolling up. The list is anchored at its bottom, so nothing moves when
 * something is added above; what is out of sight is not laid out (`content-visibility`).
 */
import type { Conversation, Message } from "@parley/client"
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react"
import { discard, enqueue, tryAgain, useOutbox } from "../../api/outbox.ts"
import type { Outgoing } from "../../api/outgoing.ts"
import { entryId } from "../../api/patch.ts"
import { useNamer } from "../../api/people.ts"
import { useSession } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { Empty, ErrorBlock, Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { cx } from "../../lib/classes.ts"
import { dayName, dayOf } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"
import { contactName, preview } from "../../lib/words.ts"
import { Bubble, bubbleClass } from "./Bubble.tsx"
import { CallCard } from "./CallCard.tsx"
import { ChangeLine } from "./ChangeLine.tsx"
import { NoteCard } from "./NoteCard.tsx"
import { isQuiet, reactionsOf, reactsTo } from "./reactions.ts"
import { Text } from "./Text.tsx"
import { useSought } from "./useSought.ts"
import { useThread } from "./useThread.ts"
import { isWindowOpen } from "./window.ts"

// Opened by a press, and fetched then.
const EmojiPicker = lazy(() => import("../composer/EmojiPicker.tsx"))

const outgoingStates = (entry: Outgoing): string => {
  switch (entry.state) {
    case "sending":
      return t("Sending…")
    case "waiting":
      return navigator.onLine ? t("Waiting") : t("Waiting for the network")
    case "ask":
      return t("Waited for more than 10 minutes. Send it now?")
    case "failed":
      return entry.reason ?? t("Not sent")
  }
}

/** A message that the service does not have yet. */
const OutgoingBubble = ({ entry }: { readonly entry: Outgoing }) => {
  const bad = entry.state === "failed"
  return (
    <div className="flex max-w-[86%] flex-col items-end gap-1 self-end md:max-w-[72%]">
      <div className={`${bubbleClass("human")} ${bad ? "" : "opacity-70"}`}>
        {entry.body.type === "text" ? (
          <Text>{entry.body.text}</Text>
        ) : (
          preview({ type: entry.body.type, content: { ...entry.body } })
        )}
      </div>
      <span
        role={bad ? "alert" : undefined}
        className={`flex flex-wrap items-center justify-end gap-1 text-label ${bad ? "text-danger" : "text-ink-3"}`}
      >
        {outgoingStates(entry)}
        {(bad || entry.state === "ask") && (
          <>
            <Button small onClick={() => void tryAgain(entry)}>
              {t("Send again")}
            </Button>
            <Button small tone="quiet" onClick={() => void discard(entry)}>
              {t("Discard")}
            </Button>
          </>
        )}
      </span>
    </div>
  )
}

export const Thread = ({ conversation }: { readonly conversation: Conversation }) => {
  const { id, channel, contact } = conversation
  const thread = useThread(conversation)
  const { entries, isPending, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = thread
  const sought = useSought(thread)
  const ours = useOutbox().filter(({ body }) => body.to === contact.id)
  const outgoing = ours.filter((entry) => !isQuiet(entry))
  const [reactingTo, setReactingTo] = useState<Message>()
  const session = useSession()
  const now = useNow()
  const nameOf = useNamer()
  const me = session.user.id
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = top.current
    if (element === null || !hasNextPage || isFetchingNextPage) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void fetchNextPage()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const react = useCallback(
    (message: Message, emoji?: string) => {
      if (emoji === undefined) setReactingTo(message)
      else void enqueue(id, { to: contact.id, type: "reaction", messageId: message.id, emoji })
    },
    [id, contact.id]
  )
  const isReacting = can(session, "messages:send") && (channel !== "messaging" || isWindowOpen(conversation, now))
  const name = contactName(contact)
  const byId = new Map(entries.flatMap(({ message }) => (message === undefined ? [] : [[message.id, message]])))
  const reactions = reactionsOf(entries, ours)
  const shown = entries.filter(({ message }) => !byId.has((message && reactsTo(message)) ?? ""))
  if (error !== null && entries.length === 0) return <ErrorBlock error={error} again={() => void refetch()} />
  return (
    <div
      role="log"
      aria-label={t("Conversation with {name}", { name })}
      aria-busy={isPending}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it.
      tabIndex={0}
      className="scroll-thin flex min-h-0 flex-1 flex-col-reverse overflow-y-auto outline-offset-[-2px]"
    >
      <div className="flex flex-col gap-2.5 px-3.5 py-3 md:px-6">
        <div ref={top} className="h-px" />
        {(isPending || isFetchingNextPage) && (
          <div className="flex flex-col gap-2.5">
            <Skeleton className="h-9 w-1/2" />
            <Skeleton className="ms-auto h-9 w-2/5" />
            <Skeleton className="h-9 w-1/3" />
          </div>
        )}
        {!isPending && shown.length === 0 && outgoing.length === 0 && (
          <Empty title={t("Nothing has been said here yet.")} />
        )}
        {shown.map((entry, index) => {
          const before = shown[index - 1]
          const newDay = before === undefined || dayOf(before.at) !== dayOf(entry.at)
          return (
            <div
              key={entryId(entry)}
              className={cx(
                "flex flex-col gap-2.5 [contain-intrinsic-size:auto_64px] [content-visibility:auto]",
                sought !== undefined && sought === entry.message?.id && "rounded-lg bg-selected"
              )}
            >
              {newDay && <h3 className="py-0.5 text-center text-label text-ink-3">{dayName(entry.at)}</h3>}
              {entry.call !== undefined ? (
                <CallCard call={entry.call} contactName={name} />
              ) : entry.note !== undefined ? (
                <NoteCard note={entry.note} author={nameOf(entry.note.author)} />
              ) : entry.change !== undefined ? (
                <ChangeLine change={entry.change} at={entry.at} me={me} nameOf={nameOf} />
              ) : (
                entry.message !== undefined && (
                  <Bubble
                    message={entry.message}
                    sender={entry.message.sentBy === null ? undefined : nameOf(entry.message.sentBy)}
                    mine={entry.message.sentBy === me}
                    contactName={name}
                    answered={byId.get(entry.message.replyTo?.messageId ?? "")}
                    reactions={reactions.get(entry.message.id)}
                    onReact={isReacting ? react : undefined}
                  />
                )
              )}
            </div>
          )
        })}
        {outgoing.map((entry) => (
          <OutgoingBubble key={entry.key} entry={entry} />
        ))}
      </div>
      <Suspense>
        {reactingTo !== undefined && (
          <EmojiPicker
            title={t("React with")}
            onChoose={(emoji) => react(reactingTo, emoji)}
            onClose={() => setReactingTo(undefined)}
          />
        )}
      </Suspense>
    </div>
  )
}
