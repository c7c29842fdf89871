/** Two texts, line by line: what is gone, and what is new. */
import { cx } from "../lib/classes.ts"
import { linesOf } from "../lib/difference.ts"
import { t } from "../lib/i18n.ts"

const looks = { same: "", gone: "bg-danger-soft text-danger", new: "bg-good-soft text-good" } as const
const signs = { same: " ", gone: "−", new: "+" } as const

export const Diff = ({ before, after }: { readonly before: string; readonly after: string }) => (
  <div className="overflow-hidden rounded-lg border border-line font-mono text-small" dir="ltr">
    {linesOf(before, after).map(({ kind, text }, index) => (
      <div key={index} className={cx("flex gap-2 px-2 py-px", looks[kind])}>
        <span aria-hidden="true">{signs[kind]}</span>
        {kind !== "same" && <span className="sr-only">{kind === "gone" ? t("Before:") : t("Now:")}</span>}
        <span className="min-w-0 flex-1 whitespace-pre-wrap" dir="auto">
          {text}
        </span>
      </div>
    ))}
  </div>
)
