/** How far a broadcast is: a bar of what became of its recipients, and the numbers beside it. */
import type { Broadcast } from "@parley/client"
import { number, percent } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { reasonText, skipReasons } from "./words.ts"

/** From what is best to what is worst; each with its colour, and its name beside it. */
const parts = [
  ["read", message("Read"), "bg-good"],
  ["delivered", message("Delivered"), "bg-accent"],
  ["sent", message("Sent"), "bg-stage-4"],
  ["queued", message("Waiting"), "bg-line-strong"],
  ["unknown", message("On their way, perhaps"), "bg-stage-2"],
  ["failed", message("Not sent"), "bg-danger"],
  ["skipped", message("Skipped"), "bg-warn"]
] as const

export const Progress = ({
  counts,
  words = false
}: {
  readonly counts: Broadcast["counts"]
  readonly words?: boolean
}) => {
  const { total } = counts
  const done = total - counts.queued - counts.unknown
  return (
    <div className="flex flex-col gap-2">
      <div
        role="progressbar"
        aria-label={t("Progress")}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={t("{done} of {total}", { done: number(done), total: number(total) })}
        className="flex h-2 gap-px overflow-hidden rounded-full bg-sunken"
      >
        {total > 0 &&
          parts.map(([field, , colour]) =>
            counts[field] === 0 ? null : (
              <span key={field} className={`h-full ${colour}`} style={{ width: `${(counts[field] / total) * 100}%` }} />
            )
          )}
      </div>
      {words && (
        <dl className="grid grid-cols-2 gap-x-6 gap-y-1 md:grid-cols-4">
          {parts.map(([field, name, colour]) =>
            counts[field] === 0 && field === "unknown" ? null : (
              <div key={field} className="flex items-center gap-2">
                <span aria-hidden="true" className={`size-2 shrink-0 rounded-[2px] ${colour}`} />
                <dt className="min-w-0 flex-1 truncate text-ink-2">{t(name)}</dt>
                <dd className="num font-medium">
                  {number(counts[field])}
                  {total > 0 && (
                    <span className="ms-1 text-small font-normal text-ink-3">{percent(counts[field] / total)}</span>
                  )}
                </dd>
              </div>
            )
          )}
        </dl>
      )}
      {words && counts.skipped > 0 && (
        <p className="text-small text-ink-3">
          {skipReasons
            .filter((reason) => counts.skippedBy[reason] > 0)
            .map((reason) => `${number(counts.skippedBy[reason])} · ${reasonText(reason)}`)
            .join("; ")}
        </p>
      )}
    </div>
  )
}
