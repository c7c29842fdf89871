/** One source: its state, and what the last reading left out, and why. */
import type { KnowledgeSource } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Pencil, RefreshCw, Trash2 } from "lucide-react"
import { parley } from "../../api/client.ts"
import { Button } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { ago, moment, size } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useTask } from "../../lib/task.ts"
import { useNow } from "../../lib/time.ts"
import { oftenText } from "./SyncEvery.tsx"
import { readBaseAgain } from "./useKnowledge.ts"
import { isUnderWay, kinds, passagesText, stateOf } from "./words.ts"

/** Where the source is from, in a line. */
const fromText = ({ type, file, pages, notion, answers }: KnowledgeSource): string => {
  if (file !== null) return `${file.filename}, ${size(file.sizeBytes)}`
  if (answers !== null) return t("{n, plural, one {# question} other {# questions}}", { n: answers.length })
  if (notion !== null) return notion.url
  return pages?.sitemap ?? pages?.urls?.[0] ?? t(kinds[type])
}

/** What the last reading did: when, and each thing that it left out. */
const Report = ({ source: { problem, skipped, syncedAt, vectors } }: { readonly source: KnowledgeSource }) => (
  <details className="text-small">
    <summary className="min-h-6 cursor-pointer text-ink-3 hover:text-ink pointer-coarse:min-h-11">
      {skipped.length === 0
        ? t("Last reading")
        : t("Last reading: {n, plural, one {# thing was left out} other {# things were left out}}", {
            n: skipped.length
          })}
    </summary>
    <div className="mt-1 flex flex-col gap-1 rounded-lg bg-sunken p-2.5">
      <p>{syncedAt === null ? t("It was never read to its end.") : moment(syncedAt)}</p>
      {problem !== null && <p className="text-danger">{problem}</p>}
      <p className="text-ink-2">
        {vectors.state === "ready"
          ? t("Found by words and by meaning.")
          : vectors.problem === null
            ? t("Found by words.")
            : t("Found by words. Not by meaning yet: {reason}", { reason: vectors.problem })}
      </p>
      {skipped.length > 0 && (
        <ul aria-label={t("Left out")} className="flex flex-col gap-1">
          {skipped.map(({ what, why }) => (
            <li key={`${what} ${why}`} className="[overflow-wrap:anywhere]">
              <bdi className="font-medium">{what}</bdi> <span className="text-ink-2">{why}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  </details>
)

export const SourceRow = ({
  source,
  onChange,
  onRemove
}: {
  readonly source: KnowledgeSource
  /** Undefined, as `onRemove`: the person may only look. */
  readonly onChange: (() => void) | undefined
  readonly onRemove: (() => void) | undefined
}) => {
  const client = useQueryClient()
  const now = useNow()
  const { busy, run } = useTask()
  const { id, knowledgeBaseId, title, type, passages, syncedAt, syncEveryHours, state, problem } = source
  const { tone, text } = stateOf(source)
  const again = () =>
    run(async () => {
      await parley.knowledgeSources.sync(knowledgeBaseId, id)
      readBaseAgain(client, knowledgeBaseId)
    })
  const reads = type === "pages" || type === "notion"
  return (
    <li className="flex flex-col gap-1.5 border-line py-2.5 not-last:border-b">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 flex-1 basis-48">
          <bdi className="block truncate font-medium">{title}</bdi>
          <span className="block truncate text-small text-ink-3" dir="auto">
            {t(kinds[type])} · {fromText(source)}
          </span>
        </span>
        <Chip tone={tone}>{text}</Chip>
        {onChange !== undefined && onRemove !== undefined && (
          <span className="flex gap-1">
            <Button
              small
              tone="quiet"
              icon={RefreshCw}
              label={t("Read {name} again", { name: title })}
              disabled={busy || isUnderWay(source)}
              onClick={again}
            />
            <Button small tone="quiet" icon={Pencil} label={t("Change {name}", { name: title })} onClick={onChange} />
            <Button small tone="quiet" icon={Trash2} label={t("Delete {name}", { name: title })} onClick={onRemove} />
          </span>
        )}
      </div>
      <p className="num text-small text-ink-3">
        {[
          passagesText(passages),
          ...(syncedAt === null ? [] : [t("read: {when}", { when: ago(syncedAt, now) })]),
          ...(reads ? [t("is read again {often}", { often: oftenText(syncEveryHours) })] : [])
        ].join(" · ")}
      </p>
      {state === "failed" && problem !== null && (
        <p role="alert" className="text-danger">
          {problem} {passages > 0 && t("What was read before is still found.")}
        </p>
      )}
      <Report source={source} />
    </li>
  )
}
