/** Who writes: consent, tags, and what was before. */
import type { Contact, Conversation } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ArrowUpRight, Check, MessageCircle, Phone, X } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Avatar } from "../../components/Avatar.tsx"
import { buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { length, phone, shortDate } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { sayProblem } from "../../lib/toasts.ts"
import { channelName, contactName } from "../../lib/words.ts"
import { OrderLinks, useOrdersOf } from "../contacts/ContactOrders.tsx"
import { useEarlierCalls, useEarlierChats } from "../contacts/useEarlier.ts"

const Section = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => (
  <section className="border-t border-line py-2.5">
    <h3 className="mb-1.5 text-label font-medium text-ink-3">{title}</h3>
    {children}
  </section>
)

const Consents = ({ contact }: { readonly contact: Contact }) => {
  const { data } = useQuery({
    queryKey: keys.contactConsents(contact.id),
    queryFn: ({ signal }) => parley.voiceConsents.get(contact.id, { signal })
  })
  return (
    <Section title={t("Consent")}>
      <dl className="flex flex-col gap-1">
        <div className="flex flex-wrap justify-between gap-2">
          <dt>{t("Messages")}</dt>
          <dd>
            {contact.optedIn ? (
              <Chip tone="good" icon={Check}>
                {t("Opted in")}
              </Chip>
            ) : (
              <Chip icon={X}>{t("Not opted in")}</Chip>
            )}
          </dd>
        </div>
        <div className="flex flex-wrap justify-between gap-2">
          <dt>{t("Calls")}</dt>
          <dd>
            {data?.consent ? (
              <Chip tone="good" icon={Check} title={data.consent.text}>
                {t("Written, {date}", { date: shortDate(data.consent.grantedAt) })}
              </Chip>
            ) : (
              <Chip icon={X}>{t("None")}</Chip>
            )}
          </dd>
        </div>
      </dl>
    </Section>
  )
}

/** The tags of a contact, each taken away or added at once. */
export const Tags = ({ contact }: { readonly contact: Contact }) => {
  const client = useQueryClient()
  const session = useSession()
  const [typed, setTyped] = useState("")
  const editable = can(session, "contacts:write")
  const set = async (tags: ReadonlyArray<string>) => {
    client.setQueryData<Contact>(keys.contact(contact.id), { ...contact, tags })
    try {
      client.setQueryData(keys.contact(contact.id), await parley.contacts.update(contact.id, { tags }))
    } catch (cause) {
      client.setQueryData(keys.contact(contact.id), contact)
      sayProblem(cause)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-1">
      {contact.tags.map((tag) => (
        <span
          key={tag}
          className="inline-flex min-h-5 max-w-full items-center rounded-[10px] bg-sunken ps-2 text-[0.71875rem] font-medium text-ink-2"
        >
          <bdi className="truncate">{tag}</bdi>
          {editable ? (
            <button
              type="button"
              aria-label={t("Take the tag {tag} away", { tag })}
              onClick={() => void set(contact.tags.filter((one) => one !== tag))}
              className="grid size-6 shrink-0 place-items-center rounded-full hover:text-danger pointer-coarse:size-9"
            >
              <Icon of={X} size={12} />
            </button>
          ) : (
            <span className="pe-2" />
          )}
        </span>
      ))}
      {editable && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const tag = typed.trim()
            if (tag === "" || contact.tags.includes(tag)) return
            setTyped("")
            void set([...contact.tags, tag])
          }}
        >
          <input
            aria-label={t("New tag")}
            placeholder={t("+ tag")}
            maxLength={64}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className="h-6 w-20 rounded-[12px] border border-dashed border-line-strong bg-transparent px-2 text-small focus:w-32 pointer-coarse:h-9"
          />
        </form>
      )}
    </div>
  )
}

export const ContactPanel = ({ conversation }: { readonly conversation: Conversation }) => {
  const { id } = conversation.contact
  const contact = useQuery({ queryKey: keys.contact(id), queryFn: ({ signal }) => parley.contacts.get(id, { signal }) })
  const earlier = useEarlierChats(id)
  const calls = useEarlierCalls(id)
  const name = contactName(conversation.contact)
  const orders = useOrdersOf(id)
  const others = (earlier.data ?? []).filter((one) => one.id !== conversation.id)
  return (
    <div className="flex flex-col">
      <div className="mb-3 flex items-center gap-3">
        <Avatar name={name} size="l" />
        <div className="min-w-0 flex-1">
          <p className="truncate text-[0.875rem] font-semibold">
            <bdi>{name}</bdi>
          </p>
          {conversation.contact.phone !== null && (
            <p className="num text-small text-ink-3">{phone(conversation.contact.phone)}</p>
          )}
          {contact.data?.email && <p className="truncate text-small text-ink-3">{contact.data.email}</p>}
        </div>
      </div>
      <Link to="/contacts/$id" params={{ id }} className={`${buttonClass({ small: true })} mb-3`}>
        {t("Open contact")} <Icon of={ArrowUpRight} size={14} />
      </Link>
      {contact.data === undefined ? (
        <Skeleton className="h-16" />
      ) : (
        <>
          <Consents contact={contact.data} />
          <Section title={t("Tags")}>
            <Tags contact={contact.data} />
          </Section>
        </>
      )}
      {conversation.labels.length > 0 && (
        <Section title={t("Labels of this conversation")}>
          <div className="flex flex-wrap gap-1">
            {conversation.labels.map((label) => (
              <Link key={label} to="/inbox" search={{ label }}>
                <Chip>{label}</Chip>
              </Link>
            ))}
          </div>
        </Section>
      )}
      {orders !== undefined && orders.length > 0 && (
        <Section title={t("Orders")}>
          <OrderLinks orders={orders} />
        </Section>
      )}
      {(others.length > 0 || (calls.data?.length ?? 0) > 0) && (
        <Section title={t("Earlier")}>
          <ul className="flex flex-col gap-1">
            {others.map((one) => (
              <li key={one.id}>
                <Link
                  to="/inbox"
                  search={(before) => ({ ...before, c: one.id })}
                  className="flex min-h-6 items-center gap-2 hover:underline"
                >
                  <Icon of={MessageCircle} className="text-ink-3" />
                  <span className="min-w-0 flex-1 truncate">{channelName(one.channel)}</span>
                  <span className="num text-small text-ink-3">{shortDate(one.lastActivityAt)}</span>
                </Link>
              </li>
            ))}
            {(calls.data ?? []).slice(0, 5).map((call) => (
              <li key={call.id}>
                <Link
                  to="/calls/$id"
                  params={{ id: call.id }}
                  className="flex min-h-6 items-center gap-2 hover:underline"
                >
                  <Icon of={Phone} className="text-ink-3" />
                  <span className="num min-w-0 flex-1 truncate">
                    {t("Call")} {call.durationSeconds !== null && `· ${length(call.durationSeconds)}`}
                  </span>
                  <span className="num text-small text-ink-3">{shortDate(call.createdAt)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}
