/** By how much a figure differs from the days before. */
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { change } from "./range.ts"

export const Changed = ({ now, before }: { readonly now: number | null; readonly before: number | null }) => {
  const share = now === null || before === null ? undefined : change(now, before)
  if (share === undefined) return t("nothing to compare with")
  const text = number(share, { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 })
  return t("{change} compared with the days before", { change: text })
}
