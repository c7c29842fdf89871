/** The contacts of the organization: search, tag, archive; more come while scrolling. */
import type { Contact, ContactsListQuery } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useVirtualizer } from "@tanstack/react-virtual"
import { ArrowDown, ArrowUp, Download, FileUp, Plus } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { useCursored } from "../../api/cursored.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Avatar } from "../../components/Avatar.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { SearchInput } from "../../components/Field.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { can, isAdmin } from "../../lib/can.ts"
import { ago, number, phone, shortDate } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"
import { contactName } from "../../lib/words.ts"
import { ImportDialog } from "../imports/ImportDialog.tsx"
import { ContactForm } from "./ContactForm.tsx"

const pageSize = 50

const columns = "grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,2fr)_minmax(0,1.3fr)_minmax(0,1.6fr)_100px_90px]"

type Sort = NonNullable<ContactsListQuery["sort"]>

/** The head of a column that orders the list: a press turns the order round. `first` is the way that it begins with. */
const SortButton = ({
  by,
  first,
  sort,
  onSort,
  className = "",
  children
}: {
  readonly by: "name" | "lastSeenAt" | "createdAt"
  readonly first: Sort
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly className?: string
  readonly children: string
}) => {
  const isBy = sort.endsWith(by)
  const isDown = sort.startsWith("-")
  return (
    <button
      type="button"
      aria-pressed={isBy}
      className={`flex min-h-8 items-center gap-1 rounded-sm hover:text-ink pointer-coarse:min-h-11 ${isBy ? "text-ink" : ""} ${className}`}
      onClick={() => onSort(isBy ? (isDown ? by : `-${by}`) : first)}
    >
      {children}
      {isBy && (
        <>
          <Icon of={isDown ? ArrowDown : ArrowUp} />
          <span className="sr-only">{isDown ? t("descending") : t("ascending")}</span>
        </>
      )}
    </button>
  )
}

const ListHead = ({ sort, onSort }: { readonly sort: Sort; readonly onSort: (sort: Sort) => void }) => (
  <div
    className={`grid items-center gap-3 border-b border-line bg-surface px-4 text-small text-ink-3 md:px-5 ${columns}`}
  >
    <SortButton by="name" first="name" sort={sort} onSort={onSort}>
      {t("Name")}
    </SortButton>
    <span className="hidden md:block">{t("Phone")}</span>
    <span className="hidden md:block">{t("Tags")}</span>
    <SortButton by="lastSeenAt" first="-lastSeenAt" sort={sort} onSort={onSort} className="justify-end">
      {t("Last seen")}
    </SortButton>
    <SortButton by="createdAt" first="-createdAt" sort={sort} onSort={onSort} className="justify-end max-md:hidden">
      {t("Since")}
    </SortButton>
  </div>
)

const Row = ({ contact }: { readonly contact: Contact }) => {
  const now = useNow()
  const name = contactName(contact)
  const number_ = contact.phone === null ? "" : phone(contact.phone)
  return (
    <Link
      to="/contacts/$id"
      params={{ id: contact.id }}
      className={`grid h-12 items-center gap-3 border-b border-line px-4 hover:bg-hover focus-visible:outline-offset-[-2px] md:h-10 md:px-5 ${columns}`}
    >
      <span className="flex min-w-0 items-center gap-2.5">
        <Avatar name={name} size="s" />
        <span className="flex min-w-0 flex-col">
          <span className="truncate font-medium">
            <bdi>{name}</bdi>
          </span>
          <span className="num truncate text-small text-ink-3 md:hidden">{number_}</span>
        </span>
      </span>
      <span className="num hidden truncate text-ink-2 md:block">{number_}</span>
      <span className="hidden min-w-0 gap-1 overflow-hidden md:flex">
        {contact.tags.slice(0, 3).map((tag) => (
          <Chip key={tag}>{tag}</Chip>
        ))}
      </span>
      <span className="num text-end text-small text-ink-3">
        {contact.lastSeenAt === null ? "–" : ago(contact.lastSeenAt, now)}
      </span>
      <span className="num hidden text-end text-small text-ink-3 md:block">{shortDate(contact.createdAt)}</span>
    </Link>
  )
}

/** The file of exactly the contacts that the filter shows. */
const exportUrl = (search: string, tag: string | undefined, archived: boolean): string => {
  const query = new URLSearchParams()
  if (search !== "") query.set("search", search)
  if (tag !== undefined) query.set("tag", tag)
  if (archived) query.set("archived", "true")
  const text = query.toString()
  return `/api/messaging-api/contacts/export${text === "" ? "" : `?${text}`}`
}

/** Narrows the list down to a tag. */
const TagFilter = ({
  tag,
  onChoose
}: {
  readonly tag: string | undefined
  readonly onChoose: (tag: string | undefined) => void
}) => {
  const { data = [] } = useQuery({
    queryKey: keys.contactTags,
    queryFn: ({ signal }) => parley.contacts.tags({ signal }).then(({ data }) => data.map((one) => one.tag))
  })
  const all = tag === undefined || data.includes(tag) ? data : [tag, ...data]
  if (all.length === 0) return null
  return (
    <select
      aria-label={t("Tag")}
      value={tag ?? ""}
      onChange={(event) => onChoose(event.target.value === "" ? undefined : event.target.value)}
      className="h-8 max-w-40 rounded-control border border-line bg-surface px-2 pointer-coarse:h-11"
    >
      <option value="">{t("All tags")}</option>
      {all.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  )
}

export const ContactList = () => {
  const { search = "", tag, archived = false, sort: sorted } = useSearch({ from: "/signed-in/contacts" })
  const sort: Sort = sorted ?? "-createdAt"
  const navigate = useNavigate()
  const session = useSession()
  const [opened, setOpened] = useState<"create" | "import">()
  const scroller = useRef<HTMLDivElement>(null)
  const set = (changes: {
    search?: string | undefined
    tag?: string | undefined
    archived?: true | undefined
    sort?: Exclude<Sort, "-createdAt"> | undefined
  }) =>
    void navigate({
      to: "/contacts",
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined)),
      replace: true
    })
  const find = (text: string) => set({ search: text === "" ? undefined : text })
  const filter = { search: search === "" ? undefined : search, tag, archived, sort, limit: pageSize }
  const list = useCursored({
    queryKey: keys.contacts(filter),
    read: (cursor, signal) => parley.contacts.list({ ...filter, cursor }, { signal })
  })
  const { all: contacts, total } = list
  const wide = matchMedia("(min-width: 44rem)").matches
  const rows = useVirtualizer({
    count: contacts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (wide ? 40 : 48),
    overscan: 12
  })
  const items = rows.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= contacts.length - 10) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, last, contacts.length, fetchNextPage])
  const filtered = search !== "" || tag !== undefined || archived
  const clear = () => void navigate({ to: "/contacts", search: {} })
  return (
    <>
      <PageHead
        title={t("Contacts")}
        beside={total !== undefined && <span className="num text-ink-3">{number(total)}</span>}
      >
        <SearchInput label={t("Search")} placeholder={t("Name, number or e-mail")} value={search} onSearch={find} />
        <TagFilter tag={tag} onChoose={(next) => set({ tag: next })} />
        <label className="flex min-h-8 items-center gap-1.5 text-small text-ink-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={archived}
            onChange={(event) => set({ archived: event.target.checked ? true : undefined })}
          />
          {t("Archived")}
        </label>
        {isAdmin(session) && (
          <a
            href={exportUrl(search, tag, archived)}
            download="contacts.csv"
            className={`${buttonClass({})} max-md:hidden`}
          >
            <Icon of={Download} /> {t("Export")}
          </a>
        )}
        {can(session, "contacts:write") && (
          <>
            <Button icon={FileUp} className="max-md:hidden" onClick={() => setOpened("import")}>
              {t("Import")}
            </Button>
            <Button tone="primary" icon={Plus} onClick={() => setOpened("create")}>
              {t("New contact")}
            </Button>
          </>
        )}
      </PageHead>
      {contacts.length > 0 && (
        <ListHead sort={sort} onSort={(next) => set({ sort: next === "-createdAt" ? undefined : next })} />
      )}
      <div
        ref={scroller}
        className={`scroll-thin min-h-0 flex-1 overflow-y-auto bg-surface ${list.isPlaceholderData ? "opacity-60" : ""}`}
      >
        {list.error !== null && contacts.length === 0 ? (
          <ErrorBlock error={list.error} again={() => void list.refetch()} />
        ) : list.isPending ? (
          <ListSkeleton />
        ) : contacts.length === 0 ? (
          filtered ? (
            <Empty title={t("No contact matches.")} action={<Button onClick={clear}>{t("Clear the filter")}</Button>} />
          ) : (
            <Empty title={t("No contacts yet.")}>{t("Whoever writes or calls becomes a contact by itself.")}</Empty>
          )
        ) : (
          <ul aria-label={t("Contacts")} className="relative" style={{ height: rows.getTotalSize() }}>
            {items.map(({ index, start, key }) => {
              const contact = contacts[index]
              return (
                contact && (
                  <li
                    key={key}
                    aria-setsize={total ?? -1}
                    aria-posinset={index + 1}
                    className="absolute inset-x-0 top-0"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <Row contact={contact} />
                  </li>
                )
              )
            })}
          </ul>
        )}
      </div>
      {opened === "import" && (
        <ImportDialog
          title={t("Import contacts")}
          columns={t("phone, name, email, tags, opted in")}
          tagged
          changed={[keys.allContacts, keys.contactTags]}
          send={(file, query) => parley.imports.contacts({ file }, query, { timeoutMs: 300_000 })}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened === "create" && (
        <ContactForm
          onClose={() => setOpened(undefined)}
          onSaved={({ id }) => void navigate({ to: "/contacts/$id", params: { id } })}
        />
      )}
    </>
  )
}
