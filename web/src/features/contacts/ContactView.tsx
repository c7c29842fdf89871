/** A contact: who it is, its consents and tags, what was said with it, and what can be done. */
import type { Contact } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, Navigate, useNavigate } from "@tanstack/react-router"
import { Archive, ArrowLeft, Merge, MessageCircle, Pencil, Phone, RotateCcw, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Avatar } from "../../components/Avatar.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input } from "../../components/Field.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { NoRecord, Skeleton } from "../../components/States.tsx"
import { can, isAdmin } from "../../lib/can.ts"
import { length, moment, phone, shortDate } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { say, sayProblem } from "../../lib/toasts.ts"
import { callState, channelName, contactName, endName, preview } from "../../lib/words.ts"
import { Tags } from "../inbox/ContactPanel.tsx"
import { ConsentCard } from "./ConsentCard.tsx"
import { ContactForm } from "./ContactForm.tsx"
import { OrderLinks, useOrdersOf } from "./ContactOrders.tsx"
import { ExportCard } from "./ExportCard.tsx"
import { MergeDialog } from "./MergeDialog.tsx"
import { useEarlierCalls, useEarlierChats } from "./useEarlier.ts"

/** Nothing can undo it, so it asks for the name. */
const Erase = ({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) => {
  const [typed, setTyped] = useState("")
  const navigate = useNavigate()
  const name = contactName(contact)
  const erase = async () => {
    try {
      await parley.contacts.erase(contact.id)
      onClose()
      say(t("Erased."))
      await navigate({ to: "/contacts" })
    } catch (cause) {
      sayProblem(cause)
    }
  }
  return (
    <Dialog title={t("Erase {name}?", { name })} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() === name) void erase()
        }}
      >
        <p>{t("Everything of this contact is erased: messages, calls, recordings. Nothing can undo it.")}</p>
        <Input
          label={t("Type the name to go on: {name}", { name })}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button tone="danger" type="submit" icon={Trash2} disabled={typed.trim() !== name} className="self-end">
          {t("Erase contact")}
        </Button>
      </form>
    </Dialog>
  )
}

const History = ({ id }: { readonly id: string }) => {
  const chats = useEarlierChats(id)
  const calls = useEarlierCalls(id)
  const row = "flex min-h-8 items-center gap-2 rounded-md px-1 hover:bg-hover pointer-coarse:min-h-11"
  return (
    <Card title={t("Earlier")}>
      {chats.isPending && <Skeleton className="h-16" />}
      {chats.data?.length === 0 && calls.data?.length === 0 && (
        <p className="text-ink-3">{t("Nothing has been said here yet.")}</p>
      )}
      <ul>
        {chats.data?.map((chat) => (
          <li key={chat.id}>
            <Link to="/inbox" search={{ c: chat.id }} className={row}>
              <Icon of={MessageCircle} className="text-ink-3" />
              <span className="min-w-0 flex-1 truncate" dir="auto">
                {channelName(chat.channel)}
                {chat.lastMessage !== null && ` · ${preview(chat.lastMessage)}`}
              </span>
              <span className="num text-small text-ink-3">{shortDate(chat.lastActivityAt)}</span>
            </Link>
          </li>
        ))}
        {calls.data?.map((call) => (
          <li key={call.id}>
            <Link to="/calls/$id" params={{ id: call.id }} className={row}>
              <Icon of={Phone} className="text-ink-3" />
              <span className="num min-w-0 flex-1 truncate">
                {t("Call")}
                {call.durationSeconds !== null && ` · ${length(call.durationSeconds)}`} ·{" "}
                {call.endReason === null ? callState(call.status) : endName(call.endReason)}
              </span>
              <span className="num text-small text-ink-3">{shortDate(call.createdAt)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const OrdersCard = ({ id }: { readonly id: string }) => {
  const orders = useOrdersOf(id)
  if (orders === undefined || orders.length === 0) return null
  return (
    <Card title={t("Orders")}>
      <OrderLinks orders={orders} />
    </Card>
  )
}

export const ContactView = ({ id }: { readonly id: string }) => {
  const client = useQueryClient()
  const session = useSession()
  const contact = useQuery({ queryKey: keys.contact(id), queryFn: ({ signal }) => parley.contacts.get(id, { signal }) })
  const [opened, setOpened] = useState<"edit" | "merge" | "erase">()
  const editable = can(session, "contacts:write")
  if (contact.error !== null && contact.data === undefined)
    return (
      <NoRecord
        error={contact.error}
        again={() => void contact.refetch()}
        title={t("This contact does not exist.")}
        to="/contacts"
        list={t("To the contacts")}
      >
        {t("It may have been erased, or belong to another organization.")}
      </NoRecord>
    )
  if (contact.data === undefined) return <Skeleton className="m-6 h-10 w-64" />
  const { data } = contact
  // It was merged into another one, which stands for it.
  if (data.id !== id) return <Navigate to="/contacts/$id" params={{ id: data.id }} replace />
  const name = contactName(data)
  const store = (next: Contact) => client.setQueryData(keys.contact(id), next)
  /** Does something that another action takes back. */
  const act = async (run: () => Promise<Contact>, said: string, undo: () => Promise<Contact>) => {
    try {
      store(await run())
      say(said, { label: t("Undo"), run: () => void undo().then(store, (cause: unknown) => sayProblem(cause)) })
      void client.invalidateQueries({ queryKey: keys.allContacts })
    } catch (cause) {
      sayProblem(cause)
    }
  }
  const { archive, restore } = parley.contacts
  return (
    <>
      <PageHead
        title={name}
        beside={
          <>
            <Link
              to="/contacts"
              aria-label={t("Back to the list")}
              className={`${buttonClass({ tone: "quiet", square: true })} order-first -ms-2`}
            >
              <Icon of={ArrowLeft} />
            </Link>
            {data.archivedAt !== null && <Chip tone="warn">{t("Archived")}</Chip>}
          </>
        }
      >
        {editable && (
          <>
            <Button small icon={Pencil} onClick={() => setOpened("edit")}>
              {t("Edit")}
            </Button>
            {data.archivedAt === null && (
              <Button small icon={Merge} onClick={() => setOpened("merge")}>
                {t("Merge")}
              </Button>
            )}
            {data.archivedAt === null ? (
              <Button
                small
                icon={Archive}
                onClick={() =>
                  void act(
                    () => archive(id),
                    t("Archived."),
                    () => restore(id)
                  )
                }
              >
                {t("Archive")}
              </Button>
            ) : (
              <Button
                small
                icon={RotateCcw}
                onClick={() =>
                  void act(
                    () => restore(id),
                    t("Restored."),
                    () => archive(id)
                  )
                }
              >
                {t("Restore")}
              </Button>
            )}
          </>
        )}
        {isAdmin(session) && (
          <Button small tone="danger" icon={Trash2} onClick={() => setOpened("erase")}>
            {t("Erase contact")}
          </Button>
        )}
      </PageHead>
      <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
        <div className="mx-auto flex max-w-[720px] flex-col gap-4">
          <div className="flex items-center gap-3">
            <Avatar name={name} size="l" />
            <div className="min-w-0">
              {data.phone !== null && <p className="num font-medium">{phone(data.phone)}</p>}
              {data.email !== null && <p className="truncate text-ink-2">{data.email}</p>}
              <p className="text-small text-ink-3">{t("Since {date}", { date: moment(data.createdAt) })}</p>
            </div>
          </div>
          <ConsentCard contact={data} editable={editable} onChange={act} />
          <Card title={t("Tags")}>
            <Tags contact={data} />
          </Card>
          <OrdersCard id={id} />
          <History id={id} />
          {isAdmin(session) && <ExportCard id={id} />}
        </div>
      </div>
      {opened === "edit" && (
        <ContactForm contact={data} onClose={() => setOpened(undefined)} onSaved={() => say(t("Saved."))} />
      )}
      {opened === "merge" && <MergeDialog contact={data} onClose={() => setOpened(undefined)} />}
      {opened === "erase" && <Erase contact={data} onClose={() => setOpened(undefined)} />}
    </>
  )
}
