/** How many contacts get a broadcast, and why others do not. */
import type { BroadcastPreview } from "@parley/client"
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { reasonText } from "./words.ts"

export const Reach = ({ found }: { readonly found: BroadcastPreview }) => {
  const { recipients, skipped, limit } = found
  const tooMany = limit !== null && recipients > limit
  return (
    <div
      role="status"
      className={`rounded-control px-3 py-2 ${tooMany ? "bg-danger-soft text-danger" : "bg-accent-soft"}`}
    >
      <p className="font-medium">
        {recipients === 0
          ? t("Nobody would get it.")
          : t("{count, plural, one {# contact gets it.} other {# contacts get it.}}", { count: recipients })}
      </p>
      {Object.entries(skipped).map(([reason, count]) =>
        count === 0 ? null : (
          <p key={reason} className="text-small text-ink-2">
            {number(count)} · {reasonText(reason)}
          </p>
        )
      )}
      {tooMany && (
        <p className="text-small">{t("Your plan allows {limit} for each broadcast.", { limit: number(limit) })}</p>
      )}
    </div>
  )
}
