/** Imports records from a file: first what would be, then the import itself, with a report of the rows that were refused. */
import type { Import } from "@parley/client"
import { type QueryKey, useQuery, useQueryClient } from "@tanstack/react-query"
import { Download } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input, Select } from "../../components/Field.tsx"
import { FileField } from "../../components/FileField.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Problem } from "../../components/States.tsx"
import { number } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { sentenceOf } from "../../lib/sentence.ts"

const askEveryMs = 1_000

const counted = [
  ["created", message("new")],
  ["updated", message("changed")],
  ["skipped", message("known already, left as they are")],
  ["refused", message("refused")]
] as const

const isOver = ({ status }: Import) => status === "completed" || status === "failed" || status === "canceled"

/** What goes with a file. */
export interface ImportQuery {
  readonly dryRun: boolean
  readonly onDuplicate: "skip" | "update"
  readonly fileName: string
  readonly tags?: string
}

/** The import with this id, asked for until it has ended. Then what it has changed is read again. */
const useImport = (id: string | undefined, changed: ReadonlyArray<QueryKey>) => {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: keys.import(id ?? ""),
    enabled: id !== undefined,
    queryFn: ({ signal }) => parley.imports.get(id ?? "", { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data) ? false : askEveryMs)
  })
  const over = data !== undefined && isOver(data) && !data.dryRun
  const told = useRef(changed)
  told.current = changed
  useEffect(() => {
    if (over) for (const queryKey of told.current) void client.invalidateQueries({ queryKey })
  }, [over, client])
  return data
}

const Report = ({ found }: { readonly found: Import }) => {
  const refused = useQuery({
    queryKey: [...keys.import(found.id), "refused"],
    enabled: found.refused > 0 && isOver(found),
    queryFn: ({ signal }) => parley.imports.refused(found.id, { limit: 5 }, { signal }).then(({ data }) => data)
  })
  const unread = found.columns.filter(({ field }) => field === null).map(({ column }) => column)
  return (
    <section
      aria-label={t("Report")}
      aria-live="polite"
      className="flex flex-col gap-2 rounded-control bg-bg px-3 py-2.5"
    >
      <p className="font-medium">
        {found.status === "failed"
          ? t("The file could not be read.")
          : !isOver(found)
            ? t("{count, plural, one {# row so far…} other {# rows so far…}}", { count: found.rows })
            : found.dryRun
              ? t("{count, plural, one {# row. This would happen:} other {# rows. This would happen:}}", {
                  count: found.rows
                })
              : t("{count, plural, one {# row.} other {# rows.}}", { count: found.rows })}
      </p>
      {found.error !== null && (
        <p role="alert" className="text-danger">
          {found.error}
        </p>
      )}
      <dl className="grid grid-cols-2 gap-x-4">
        {counted.map(([field, name]) =>
          found[field] === 0 ? null : (
            <div key={field} className="flex gap-2">
              <dd className="num w-14 text-end font-medium">{number(found[field])}</dd>
              <dt className={field === "refused" ? "text-danger" : "text-ink-2"}>{t(name)}</dt>
            </div>
          )
        )}
      </dl>
      {unread.length > 0 && (
        <p className="text-small text-ink-3">{t("Columns that are not read: {names}", { names: unread.join(", ") })}</p>
      )}
      {refused.data !== undefined && refused.data.length > 0 && (
        <>
          <ul className="flex flex-col gap-1 text-small">
            {refused.data.map(({ row, problem }) => (
              <li key={row} className="flex gap-2">
                <span className="num shrink-0 text-ink-3">{t("Row {n}", { n: row })}</span>
                <span dir="auto">{problem}</span>
              </li>
            ))}
          </ul>
          <a
            href={`/api/messaging-api/imports/${encodeURIComponent(found.id)}/report`}
            download={`${found.fileName ?? "rows"}-refused.csv`}
            className={`${buttonClass({ small: true })} self-start`}
          >
            <Icon of={Download} size={14} /> {t("All refused rows, to correct them")}
          </a>
        </>
      )}
    </section>
  )
}

export const ImportDialog = ({
  title,
  columns,
  tagged = false,
  changed,
  send: take,
  onClose
}: {
  readonly title: string
  /** The columns that are read, with commas between them. */
  readonly columns: string
  /** Whether all rows can be given tags. */
  readonly tagged?: boolean
  /** What is to be read again afterwards. */
  readonly changed: ReadonlyArray<QueryKey>
  readonly send: (file: File, query: ImportQuery) => Promise<Import>
  readonly onClose: () => void
}) => {
  const [file, setFile] = useState<File>()
  const [onDuplicate, setOnDuplicate] = useState<"skip" | "update">("skip")
  const [tags, setTags] = useState("")
  const [ids, setIds] = useState<{ trial?: string; real?: string }>({})
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const trial = useImport(ids.trial, changed)
  const real = useImport(ids.real, changed)
  const send = async (dryRun: boolean) => {
    if (file === undefined) return
    setBusy(true)
    setProblem(undefined)
    try {
      const query: ImportQuery = {
        dryRun,
        onDuplicate,
        fileName: file.name.slice(-200),
        ...(tags.trim() === "" ? {} : { tags: tags.trim() })
      }
      const { id } = await take(file, query)
      setIds(dryRun ? { trial: id } : { ...ids, real: id })
    } catch (cause) {
      setProblem(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  const choose = (chosen: File | undefined) => {
    setIds({})
    setProblem(undefined)
    setFile(chosen)
  }
  const tried = trial !== undefined && isOver(trial) && trial.status === "completed"
  const useful = trial === undefined ? 0 : trial.created + trial.updated
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void send(!tried)
        }}
      >
        <FileField
          file={file}
          accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,text/csv,application/json"
          mostMegabytes={32}
          disabled={ids.real !== undefined}
          onChoose={choose}
        >
          {t("A CSV file whose first row names the columns ({columns}), or JSON.", { columns })}
        </FileField>
        {file !== undefined && ids.real === undefined && (
          <>
            <Select
              label={t("What is known already")}
              value={onDuplicate}
              options={[
                ["skip", t("Leave it as it is")],
                ["update", t("Change it to what the row says")]
              ]}
              onChange={(event) => {
                setOnDuplicate(event.target.value === "update" ? "update" : "skip")
                setIds({})
              }}
            />
            {tagged && (
              <Input
                label={t("Tags for all rows")}
                hint={t("With commas between them.")}
                maxLength={1_000}
                value={tags}
                onChange={(event) => {
                  setTags(event.target.value)
                  setIds({})
                }}
              />
            )}
          </>
        )}
        <Problem>{problem}</Problem>
        {(real ?? trial) !== undefined && <Report found={(real ?? trial) as Import} />}
        <div className="flex justify-end gap-2">
          {real !== undefined && isOver(real) ? (
            <Button tone="primary" onClick={onClose}>
              {t("Done")}
            </Button>
          ) : tried ? (
            <Button tone="primary" type="submit" disabled={busy || useful === 0 || ids.real !== undefined}>
              {busy || ids.real !== undefined
                ? t("Importing…")
                : t("{count, plural, one {Import # row} other {Import # rows}}", { count: useful })}
            </Button>
          ) : (
            <Button
              tone="primary"
              type="submit"
              disabled={file === undefined || busy || (ids.trial !== undefined && trial?.status !== "failed")}
            >
              {busy || (ids.trial !== undefined && trial?.status !== "failed") ? t("Checking…") : t("Check the file")}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
