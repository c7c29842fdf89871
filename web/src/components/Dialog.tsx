/**
 * A dialog: the browser's own, which keeps the focus inside, makes the page behind it inert, and closes by Esc. It costs no script, which a library for it
 * would (docs/dashboard.md, "What differs from the brief").
 */
import { X } from "lucide-react"
import { type ReactNode, useEffect, useId, useRef } from "react"
import { cx } from "../lib/classes.ts"
import { t } from "../lib/i18n.ts"
import { useKeys } from "../lib/keyboard.ts"
import { Button } from "./Button.tsx"

/** What takes the focus when a dialog opens: its first field, or what sends it when there is none. */
const firstField =
  'input:not([type="hidden"], [tabindex="-1"], :disabled), textarea:not(:disabled), select:not(:disabled), [type="submit"]:not(:disabled)'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Without it there is no visible title: the dialog is named by it all the same. */
  readonly bare?: boolean
  readonly side?: boolean
  readonly footer?: ReactNode
  /** Only its buttons close it: neither Esc, nor a press beside it, nor a cross. */
  readonly locked?: boolean
}

export const Dialog = ({
  title,
  onClose,
  children,
  bare = false,
  side = false,
  footer,
  locked = false
}: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const id = useId()
  useKeys({}, { modal: true })
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    // The browser gives the focus to what comes first, which is the cross; a field that asked for it was not shown yet.
    const wanted =
      ref.current?.querySelector<HTMLElement>("[data-focus]") ?? content.current?.querySelector<HTMLElement>(firstField)
    wanted?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault()
        if (!locked) onClose()
      }}
      onKeyDown={(event) => {
        if (locked && event.key === "Escape") event.preventDefault()
      }}
      // A press beside the dialog lands on its backdrop, which is the element itself. Esc does the same by keyboard.
      onPointerDown={(event) => {
        if (event.target === ref.current && !locked) onClose()
      }}
      className={cx(
        "appears bg-raised text-ink shadow-high backdrop:bg-[rgb(0_0_0/0.32)]",
        side
          ? "ms-auto me-0 h-full max-h-full w-[min(100%,360px)] border-s border-line"
          : "m-auto mt-[12vh] max-h-[76vh] w-[min(calc(100%-24px),560px)] rounded-card border border-line"
      )}
    >
      <div className={cx("flex flex-col", side ? "h-full" : "max-h-[76vh]")}>
        {bare ? (
          <h2 id={id} className="sr-only">
            {title}
          </h2>
        ) : (
          <div className="flex min-h-12 items-center gap-2 border-b border-line ps-4 pe-2">
            <h2 id={id} className="flex-1 text-title font-semibold">
              {title}
            </h2>
            {!locked && <Button tone="quiet" icon={X} label={t("Close")} onClick={onClose} />}
          </div>
        )}
        <div ref={content} className={cx("scroll-thin min-h-0 flex-1 overflow-y-auto", !bare && "p-4")}>
          {children}
        </div>
        {footer && (
          <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line p-3">{footer}</div>
        )}
      </div>
    </dialog>
  )
}
