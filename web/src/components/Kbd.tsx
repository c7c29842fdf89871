/** A key. Hidden where there is no keyboard, and from screen readers: the control has `aria-keyshortcuts`. */
import { cx } from "../lib/classes.ts"

export const Kbd = ({ children, quiet = false }: { readonly children: string; readonly quiet?: boolean }) => (
  <span
    aria-hidden="true"
    className={cx(
      "inline-block min-w-[17px] rounded border px-1 text-center font-sans text-[0.65625rem] leading-4 font-medium pointer-coarse:hidden",
      quiet ? "border-current" : "border-line bg-surface text-ink-3"
    )}
  >
    {children}
  </span>
)
