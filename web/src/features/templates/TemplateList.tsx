/** The templates of the channel: their state, what they say, and a sync. They are made and changed at WhatsApp. */
import type { Template } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { RefreshCw } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { SearchInput } from "../../components/Field.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { ago, moment, number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useTask } from "../../lib/task.ts"
import { useNow } from "../../lib/time.ts"
import { say } from "../../lib/toasts.ts"
import { TemplatePreview } from "./TemplatePreview.tsx"
import { bodyOf, canBeFilled, categoryName, gapsOf, stateOf } from "./template.ts"
import { useTemplates } from "./useTemplates.ts"

/** Asks the channel for its templates now. */
const Sync = () => {
  const client = useQueryClient()
  const { busy, run } = useTask()
  const sync = () =>
    run(async () => {
      const { added, changed, removed } = await parley.templates.sync({ timeoutMs: 60_000 })
      await client.invalidateQueries({ queryKey: keys.templates })
      say(
        added + changed + removed === 0
          ? t("Nothing has changed at WhatsApp.")
          : t("{added} new, {changed} changed, {removed} removed.", { added, changed, removed })
      )
    })
  return (
    <Button icon={RefreshCw} disabled={busy} onClick={sync}>
      {busy ? t("Syncing…") : t("Sync with WhatsApp")}
    </Button>
  )
}

const Row = ({ template, onOpen }: { readonly template: Template; readonly onOpen: () => void }) => {
  const { name, tone } = stateOf(template)
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-start hover:bg-hover focus-visible:outline-offset-[-2px] md:px-5"
      >
        <span className="min-w-0 flex-1 basis-60">
          <span className="block truncate font-medium">{template.name}</span>
          <span dir="auto" className="block truncate text-small text-ink-3">
            {bodyOf(template)}
          </span>
        </span>
        <Chip>{template.language}</Chip>
        <Chip>{categoryName(template)}</Chip>
        <Chip tone={tone}>{name}</Chip>
      </button>
    </li>
  )
}

const Detail = ({ template, onClose }: { readonly template: Template; readonly onClose: () => void }) => {
  const { name, tone } = stateOf(template)
  const gaps = gapsOf(template)
  return (
    <Dialog title={template.name} onClose={onClose}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap gap-1.5">
          <Chip tone={tone}>{name}</Chip>
          <Chip>{template.language}</Chip>
          <Chip>{categoryName(template)}</Chip>
        </div>
        {template.rejectedReason !== null && (
          <p className="rounded-control bg-danger-soft px-3 py-2 text-danger">
            {t("WhatsApp rejected it: {reason}", { reason: template.rejectedReason })}
          </p>
        )}
        <TemplatePreview template={template} />
        {gaps.length > 0 && (
          <section>
            <h3 className="mb-1 text-small font-medium text-ink-2">{t("What a message fills in")}</h3>
            <ul className="flex flex-wrap gap-1">
              {gaps.map(({ key, label }) => (
                <li key={key}>
                  <Chip tone="accent">{label}</Chip>
                </li>
              ))}
            </ul>
          </section>
        )}
        {!canBeFilled(template) && (
          <p className="text-small text-ink-3">
            {t("It needs a file or a place, which only programs can send by the interface.")}
          </p>
        )}
        <p className="text-small text-ink-3">{t("Synced {time}", { time: moment(template.syncedAt) })}</p>
      </div>
    </Dialog>
  )
}

export const TemplateList = () => {
  const { search = "", open } = useSearch({ from: "/signed-in/templates" })
  const navigate = useNavigate()
  const session = useSession()
  const now = useNow()
  const { data, error, isPending, refetch } = useTemplates()
  const words = search.toLowerCase().split(/\s+/)
  const shown = (data ?? []).filter((one) => {
    const text = `${one.name} ${one.language} ${one.category} ${stateOf(one).name} ${bodyOf(one)}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const opened = data?.find(({ id }) => id === open)
  const syncedAt = data?.reduce((last, one) => (one.syncedAt > last ? one.syncedAt : last), "") ?? ""
  const set = (next: { search?: string; open?: string }) =>
    void navigate({
      to: "/templates",
      search: ({ search: _, open: __, ...rest }) => ({ ...rest, ...next }),
      replace: true
    })
  return (
    <>
      <PageHead
        title={t("Templates")}
        beside={data !== undefined && <span className="num text-ink-3">{number(data.length)}</span>}
      >
        {syncedAt !== "" && (
          <span className="text-small text-ink-3 max-md:hidden">
            {t("Synced {time}", { time: ago(syncedAt, now) })}
          </span>
        )}
        <SearchInput
          label={t("Search templates")}
          value={search}
          onSearch={(next) => set(next === "" ? {} : { search: next })}
        />
        {can(session, "messages:send") && <Sync />}
      </PageHead>
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto bg-surface">
        {error !== null && data === undefined ? (
          <ErrorBlock error={error} again={() => void refetch()} />
        ) : isPending ? (
          <ListSkeleton />
        ) : shown.length === 0 ? (
          search === "" ? (
            <Empty title={t("No templates yet.")}>
              {t(
                "Make them in WhatsApp Manager; after a sync they are here. They reach contacts when 24 hours have passed."
              )}
            </Empty>
          ) : (
            <Empty
              title={t("No template matches.")}
              action={<Button onClick={() => set({})}>{t("Clear the filter")}</Button>}
            />
          )
        ) : (
          <ul aria-label={t("Templates")}>
            {shown.map((template) => (
              <Row
                key={template.id}
                template={template}
                onOpen={() => set({ ...(search === "" ? {} : { search }), open: template.id })}
              />
            ))}
          </ul>
        )}
      </div>
      {opened !== undefined && <Detail template={opened} onClose={() => set(search === "" ? {} : { search })} />}
    </>
  )
}
