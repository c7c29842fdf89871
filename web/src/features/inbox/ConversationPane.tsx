/** The open conversation: its head with what can be done, the thread, and where one writes. */
import type { Conversation } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { AlarmClock, Check, MailOpen, Sparkles, SquareCheck, Tag, UserRound } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { keys } from "../../api/keys.ts"
import { setOpenConversation } from "../../api/live.ts"
import { isSnoozed } from "../../api/patch.ts"
import { useNamer } from "../../api/people.ts"
import { useViewing } from "../../api/presence.ts"
import { useSession } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Empty, NoRecord, Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { weekdayClock } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { say } from "../../lib/toasts.ts"
import { Composer } from "../composer/Composer.tsx"
import { useActions } from "../shell/actions.ts"
import { Thread } from "../thread/Thread.tsx"
import { ContactPanel } from "./ContactPanel.tsx"
import { PaneHead } from "./PaneHead.tsx"
import { AssignPicker, LabelPicker, SnoozePicker } from "./Pickers.tsx"
import { Summary } from "./Summary.tsx"
import { select, toggle } from "./selection.ts"
import { useConversation, useConversations } from "./useConversations.ts"
import { useMake } from "./useMake.ts"
import { useView } from "./Views.tsx"

const mostLabels = 20

/** The next and the previous conversation of the view. */
const useNeighbours = (id: string) => {
  const { ids } = useConversations(useView())
  const at = ids.indexOf(id)
  return { ids, next: ids[at + 1], previous: at > 0 ? ids[at - 1] : undefined, first: ids[0] }
}

/** The labels of the conversations that are loaded. */
const useKnownLabels = (ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const client = useQueryClient()
  const labels = ids.flatMap((id) => client.getQueryData<Conversation>(keys.conversation(id))?.labels ?? [])
  return [...new Set(labels)].toSorted()
}

const Opened = ({ conversation }: { readonly conversation: Conversation }) => {
  const { id, status, assignee, labels, unreadCount } = conversation
  const session = useSession()
  const made = useMake()
  const navigate = useNavigate()
  const nameOf = useNamer()
  const [picking, setPicking] = useState<"assignee" | "label" | "snooze">()
  const [sheet, setSheet] = useState(false)
  const [panel, setPanel] = useState(true)
  const [summary, setSummary] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const unread = useRef(false)
  const { ids, next, previous, first } = useNeighbours(id)
  const known = useKnownLabels(ids)
  const editable = can(session, "conversations:write")
  const me = session.user.id

  const open = (to: string | undefined) => {
    if (to === undefined) return
    void navigate({ to: "/inbox", search: (before) => ({ ...before, c: to }) })
  }
  const leave = () => void navigate({ to: "/inbox", search: ({ c: _, ...rest }) => rest })
  const row = () => document.querySelector<HTMLElement>(`[data-conversation="${CSS.escape(id)}"]`)
  useViewing(id)
  useEffect(() => {
    setOpenConversation(id)
    setSummary(false)
    unread.current = false
    heading.current?.focus({ preventScroll: true })
    return () => setOpenConversation(undefined)
  }, [id])
  const read = useRef(made.read)
  read.current = made.read
  const latest = useRef(conversation)
  latest.current = conversation
  useEffect(() => {
    if (unreadCount === 0 || document.hidden || !editable || unread.current) return
    const timer = setTimeout(() => read.current([latest.current], true), 400)
    return () => clearTimeout(timer)
  }, [unreadCount, editable])

  const one = [conversation]
  const resolve = () => {
    if (!editable || status === "RESOLVED") return
    open(next ?? previous)
    made.resolve(one)
  }
  const reopen = () => made.reopen(one)
  const assign = (to: string | null) =>
    made.assign(
      one,
      to,
      to === null ? t("Nobody is assigned now.") : t("Assigned to {name}.", { name: nameOf(to).name })
    )
  const label = (text: string) => {
    const has = labels.includes(text)
    if (!has && labels.length >= mostLabels) return say(t("A conversation has 20 labels at most."), undefined, "bad")
    made.label(one, () => (has ? labels.filter((other) => other !== text) : [...labels, text]))
  }
  const snooze = (until: string | null) => {
    if (until !== null) open(next ?? previous)
    made.snooze(
      one,
      until,
      until === null ? t("Awake again.") : t("Snoozed until {time}.", { time: weekdayClock(until) })
    )
  }
  /** Marks it unread, and leaves it: what is open is read. */
  const keepUnread = () => {
    unread.current = true
    made.read(one, false)
    row()?.focus()
    leave()
  }
  const extend = (to: string | undefined) => {
    if (to === undefined) return
    select([id, to])
    open(to)
  }
  const commands: Readonly<Record<string, () => void>> = editable
    ? {
        e: () => (status === "RESOLVED" ? reopen() : resolve()),
        a: () => setPicking("assignee"),
        m: () => assign(me),
        t: () => setPicking("label"),
        h: () => setPicking("snooze"),
        u: keepUnread,
        x: () => toggle(id),
        "Shift+j": () => extend(next),
        "Shift+k": () => extend(previous)
      }
    : {}
  const showPanel = () => (matchMedia("(min-width: 70rem)").matches ? setPanel(!panel) : setSheet(!sheet))
  useKeys({
    ...commands,
    j: () => open(next ?? (first === id ? undefined : first)),
    k: () => open(previous),
    p: showPanel,
    Escape: () => {
      row()?.focus()
      if (!matchMedia("(min-width: 44rem)").matches) leave()
    }
  })
  const group = t("This conversation")
  const resolveLabel = status === "RESOLVED" ? t("Reopen") : t("Resolve and open the next")
  useActions(
    editable
      ? [
          { id: "resolve", group, icon: Check, label: resolveLabel, keys: "E", run: commands.e ?? resolve },
          { id: "assign", group, icon: UserRound, label: t("Assign…"), keys: "A", run: () => setPicking("assignee") },
          { id: "mine", group, icon: UserRound, label: t("Assign to me"), keys: "M", run: () => assign(me) },
          { id: "label", group, icon: Tag, label: t("Label…"), keys: "T", run: () => setPicking("label") },
          { id: "snooze", group, icon: AlarmClock, label: t("Snooze…"), keys: "H", run: () => setPicking("snooze") },
          { id: "unread", group, icon: MailOpen, label: t("Mark as unread"), keys: "U", run: keepUnread },
          { id: "select", group, icon: SquareCheck, label: t("Select it"), keys: "X", run: () => toggle(id) },
          { id: "summary", group, icon: Sparkles, label: t("Sum up the conversation"), run: () => setSummary(true) }
        ]
      : []
  )
  const person = assignee === null ? undefined : nameOf(assignee)
  return (
    <>
      <section aria-labelledby="conversation" className="flex min-h-0 min-w-0 flex-1 flex-col">
        <PaneHead
          conversation={conversation}
          heading={heading}
          summary={summary}
          onSummary={() => setSummary(!summary)}
          onAssign={() => setPicking("assignee")}
          onSnooze={() => setPicking("snooze")}
          onResolve={resolve}
          onReopen={reopen}
          onPanel={() => setSheet(true)}
        />
        <Summary conversation={conversation} asked={summary} />
        <Thread key={`thread-${id}`} conversation={conversation} />
        {can(session, "messages:send") && (
          <Composer
            key={`write-${id}`}
            conversation={conversation}
            agent={person?.who === "ai" && status !== "RESOLVED" ? person : undefined}
            onTakeOver={() => assign(me)}
            onResolve={resolve}
            onReopen={reopen}
          />
        )}
      </section>
      {panel && (
        <aside
          aria-label={t("About the contact")}
          className="scroll-thin hidden w-[300px] shrink-0 overflow-y-auto border-s border-line bg-surface px-4 py-3.5 lg:block"
        >
          <ContactPanel conversation={conversation} />
        </aside>
      )}
      {sheet && (
        <Dialog side title={t("About the contact")} onClose={() => setSheet(false)}>
          {editable && (
            <div className="mb-3 flex flex-wrap gap-1.5">
              <Button small icon={UserRound} onClick={() => setPicking("assignee")}>
                {person === undefined ? t("Assign") : person.name}
              </Button>
              <Button small icon={Tag} onClick={() => setPicking("label")}>
                {t("Label")}
              </Button>
              <Button small icon={AlarmClock} onClick={() => setPicking("snooze")}>
                {t("Snooze")}
              </Button>
              <Button small icon={MailOpen} onClick={keepUnread}>
                {t("Mark as unread")}
              </Button>
            </div>
          )}
          <ContactPanel conversation={conversation} />
        </Dialog>
      )}
      {picking === "assignee" && (
        <AssignPicker nobody={assignee !== null} onChoose={assign} onClose={() => setPicking(undefined)} />
      )}
      {picking === "label" && (
        <LabelPicker labels={labels} known={known} onChoose={label} onClose={() => setPicking(undefined)} />
      )}
      {picking === "snooze" && (
        <SnoozePicker
          awake={!isSnoozed(conversation, Date.now())}
          onChoose={snooze}
          onClose={() => setPicking(undefined)}
        />
      )}
    </>
  )
}

export const ConversationPane = () => {
  const { c: id } = useSearch({ from: "/signed-in/inbox" })
  const { data, error, refetch } = useConversation(id)
  const { ids } = useConversations(useView())
  const navigate = useNavigate()
  const begin = (to: string | undefined) => {
    if (to !== undefined) void navigate({ to: "/inbox", search: (before) => ({ ...before, c: to }) })
  }
  /** The row that has the focus, else the first. */
  const here = () =>
    document.activeElement instanceof HTMLElement ? (document.activeElement.dataset.conversation ?? ids[0]) : ids[0]
  useKeys(
    {
      j: () => begin(ids[0]),
      Enter: () => begin(here()),
      x: () => {
        const at = here()
        if (at !== undefined) toggle(at)
      }
    },
    { when: id === undefined }
  )
  if (id === undefined)
    return (
      <div className="hidden flex-1 place-items-center md:grid">
        <Empty title={t("No conversation is open.")}>{t("Choose one on the left, or press J for the first.")}</Empty>
      </div>
    )
  if (error !== null && data === undefined)
    return (
      <div className="grid flex-1 place-items-center">
        <NoRecord
          error={error}
          again={() => void refetch()}
          title={t("This conversation does not exist.")}
          to="/inbox"
          list={t("To the inbox")}
        >
          {t("It may have been erased, or belong to another organization.")}
        </NoRecord>
      </div>
    )
  return data === undefined ? (
    <div className="flex flex-1 flex-col gap-3 p-4">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-16 w-2/3" />
    </div>
  ) : (
    <Opened conversation={data} />
  )
}
