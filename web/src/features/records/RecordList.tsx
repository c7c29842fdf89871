/** The records of a module, with their form: `?open=` names the one that is shown. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { Download, FileUp, Lock, Plus, SlidersHorizontal } from "lucide-react"
import { useState } from "react"
import { keys } from "../../api/keys.ts"
import { useFeature } from "../../api/organization.ts"
import { useSession } from "../../api/session.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { SearchInput } from "../../components/Field.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, ListSkeleton, ShowMore } from "../../components/States.tsx"
import { can, isAdmin } from "../../lib/can.ts"
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { ImportDialog } from "../imports/ImportDialog.tsx"
import { CustomFieldsDialog } from "./CustomFieldsDialog.tsx"
import { factsOf, type Module, type ModuleRecord, modules, nameOf } from "./modules.ts"
import { RecordForm } from "./RecordForm.tsx"
import { operationsOf, useCustomFields, useRecord, useRecords } from "./useRecords.ts"

/** The file of exactly the records that the filter shows. */
const exportUrl = (module: Module, search: string, archived: boolean): string => {
  const query = new URLSearchParams({
    ...(search === "" ? {} : { search }),
    ...(archived ? { archived: "true" } : {})
  }).toString()
  return `/api/${module}/export${query === "" ? "" : `?${query}`}`
}

const Row = ({ module, record }: { readonly module: Module; readonly record: ModuleRecord }) => (
  <li className="border-b border-line">
    <Link
      to={`/${module}`}
      search={(before) => ({ ...before, open: record.id })}
      className="flex min-h-11 flex-wrap items-center gap-x-4 px-4 py-1.5 hover:bg-hover focus-visible:-outline-offset-2 md:px-5"
    >
      <bdi className="min-w-0 flex-1 basis-40 truncate font-medium">{nameOf(record)}</bdi>
      {record.archivedAt !== null && <Chip>{t("archived")}</Chip>}
      <span className="num min-w-0 truncate text-small text-ink-2">{factsOf(record).join(" · ")}</span>
    </Link>
  </li>
)

export const RecordList = ({ module }: { readonly module: Module }) => {
  const { search = "", archived = false, open } = useSearch({ from: `/signed-in/${module}` })
  const navigate = useNavigate()
  const session = useSession()
  const { refusal, allowed } = useFeature("modules")
  const list = useRecords(module, { search: search === "" ? undefined : search, archived }, allowed)
  const custom = useCustomFields(module, allowed)
  const opened = useRecord(module, allowed ? open : undefined)
  const [dialog, setDialog] = useState<"create" | "import" | "fields">()
  const { title, create, empty, what, importTitle, columns } = modules[module]
  const editable = can(session, "modules:write") && allowed
  const set = (changes: {
    readonly search?: string | undefined
    readonly archived?: true | undefined
    readonly open?: undefined
  }) =>
    void navigate({
      to: `/${module}`,
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined)),
      replace: true
    })
  const find = (text: string) => set({ search: text === "" ? undefined : text })
  const make = () => {
    if (editable) setDialog("create")
  }
  useKeys({ n: make })
  const failed = list.error ?? opened.error
  return (
    <>
      <PageHead
        title={t(title)}
        beside={list.total !== undefined && <span className="num text-ink-3">{number(list.total)}</span>}
      >
        {allowed && (
          <>
            <SearchInput label={t("Search")} value={search} onSearch={find} />
            <label className="flex min-h-8 items-center gap-1.5 text-small text-ink-2 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={archived}
                onChange={(event) => set({ archived: event.target.checked ? true : undefined })}
              />
              {t("Archived")}
            </label>
            {isAdmin(session) && (
              <Button
                icon={SlidersHorizontal}
                className="max-md:hidden"
                disabled={custom.data === undefined}
                onClick={() => setDialog("fields")}
              >
                {t("Fields")}
              </Button>
            )}
            <a
              href={exportUrl(module, search, archived)}
              download={`${module}.csv`}
              className={`${buttonClass({})} max-md:hidden`}
            >
              <Icon of={Download} /> {t("Export")}
            </a>
            {editable && (
              <>
                <Button icon={FileUp} className="max-md:hidden" onClick={() => setDialog("import")}>
                  {t("Import")}
                </Button>
                <Button tone="primary" icon={Plus} keys="N" disabled={custom.data === undefined} onClick={make}>
                  {t(create)}
                </Button>
              </>
            )}
          </>
        )}
      </PageHead>
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto bg-surface">
        {refusal !== undefined ? (
          <Empty title={t(what)}>
            <span className="flex items-center gap-2">
              <Icon of={Lock} /> {refusal}
            </span>
          </Empty>
        ) : failed !== null && list.all.length === 0 ? (
          <ErrorBlock error={failed} again={() => void list.refetch()} />
        ) : list.isPending ? (
          <ListSkeleton />
        ) : list.all.length === 0 ? (
          search !== "" || archived ? (
            <Empty
              title={t("Nothing found.")}
              action={
                <Button onClick={() => set({ search: undefined, archived: undefined })}>{t("Clear the filter")}</Button>
              }
            />
          ) : (
            <Empty title={t(empty)}>{t(what)}</Empty>
          )
        ) : (
          <ul aria-label={t(title)}>
            {list.all.map((record) => (
              <Row key={record.id} module={module} record={record} />
            ))}
          </ul>
        )}
        <ShowMore list={list} />
      </div>
      {dialog === "import" && (
        <ImportDialog
          title={t(importTitle)}
          columns={t(columns)}
          changed={[keys.allRecords(module)]}
          send={(file, query) => operationsOf(module).import({ file }, query, { timeoutMs: 300_000 })}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === "fields" && custom.data !== undefined && (
        <CustomFieldsDialog module={module} fields={custom.data} onClose={() => setDialog(undefined)} />
      )}
      {dialog === "create" && custom.data !== undefined && (
        <RecordForm module={module} custom={custom.data} editable onClose={() => setDialog(undefined)} />
      )}
      {open !== undefined && opened.data?.id === open && custom.data !== undefined && (
        <RecordForm
          key={`${open} ${opened.data.updatedAt}`}
          module={module}
          record={opened.data}
          custom={custom.data}
          editable={editable}
          onClose={() => set({ open: undefined })}
        />
      )}
    </>
  )
}
