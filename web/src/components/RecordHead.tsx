/** The head of the page of one record: its name, buttons to delete and to change it, the way to all of its kind. And the same page while there is no record. */
import { Link, type LinkProps } from "@tanstack/react-router"
import { ArrowLeft, Pencil, Trash2 } from "lucide-react"
import type { ReactNode } from "react"
import { t } from "../lib/i18n.ts"
import { Button, buttonClass } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { PageHead } from "./Page.tsx"
import { ListSkeleton, NoRecord } from "./States.tsx"

/** Where the list of such records is, and what the link to it says. */
interface Listing {
  readonly to: NonNullable<LinkProps["to"]>
  readonly list: string
}

export const RecordHead = ({
  name,
  beside,
  to,
  list,
  onRemove,
  onChange,
  children
}: Listing & {
  readonly name: string
  readonly beside: string
  /** Both are absent for who may only look. */
  readonly onRemove: (() => void) | undefined
  readonly onChange: (() => void) | undefined
  /** More buttons. */
  readonly children?: ReactNode
}) => (
  <PageHead title={name} beside={<span className="num text-ink-3 max-md:hidden">{beside}</span>}>
    {onRemove && <Button tone="quiet" icon={Trash2} label={t("Delete {name}", { name })} onClick={onRemove} />}
    {onChange && <Button tone="quiet" icon={Pencil} label={t("Change {name}", { name })} onClick={onChange} />}
    <Link to={to} className={buttonClass({})}>
      <Icon of={ArrowLeft} className="rtl:rotate-180" /> {list}
    </Link>
    {children}
  </PageHead>
)

/** Until the record is there, and where there is none. */
export const RecordAwaited = ({
  title,
  error,
  refetch,
  gone,
  to,
  list
}: Listing & {
  /** Of the page. */
  readonly title: string
  readonly error: unknown
  readonly refetch: () => unknown
  /** That it does not exist. */
  readonly gone: string
}) => (
  <>
    <PageHead title={title} />
    {error === null ? (
      <ListSkeleton />
    ) : (
      <NoRecord error={error} again={() => void refetch()} title={gone} to={to} list={list}>
        {t("It may have been deleted, or belong to another organization.")}
      </NoRecord>
    )}
  </>
)
