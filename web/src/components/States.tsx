/** What a page shows when there is nothing, not yet, or not any more. */
import { AnswerError } from "@parley/client"
import { Link, type LinkProps } from "@tanstack/react-router"
import { type ReactNode, useEffect, useState } from "react"
import { t } from "../lib/i18n.ts"
import { Button, buttonClass } from "./Button.tsx"
import { CopyButton } from "./CopyButton.tsx"

/** What this is, and one action. */
export const Empty = ({
  title,
  children,
  action
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) => (
  <div className="mx-auto flex max-w-sm flex-col items-center gap-2 px-6 py-12 text-center">
    <p className="font-medium">{title}</p>
    {children && <p className="text-ink-3">{children}</p>}
    {action}
  </div>
)

/** Why a record is not shown: there is none, or the service could not be asked. */
export const NoRecord = ({
  error,
  again,
  title,
  to,
  list,
  children
}: {
  readonly error: unknown
  readonly again: () => void
  /** That it does not exist. */
  readonly title: string
  /** Where the list of such records is, and what the link to it says. */
  readonly to: NonNullable<LinkProps["to"]>
  readonly list: string
  readonly children?: ReactNode
}) =>
  error instanceof AnswerError && error.status === 404 ? (
    <Empty
      title={title}
      action={
        <Link to={to} className={buttonClass({})}>
          {list}
        </Link>
      }
    >
      {children}
    </Empty>
  ) : (
    <ErrorBlock error={error} again={again} />
  )

/** Bars of the shape that is coming. Seen only when it takes longer than 150 ms. */
export const Skeleton = ({ className = "" }: { readonly className?: string }) => (
  <span aria-hidden="true" className={`skeleton block ${className}`} />
)

/** Where the rows of a list are coming. */
export const ListSkeleton = () => (
  <div aria-busy="true" className="flex flex-col gap-3 p-5">
    <Skeleton className="h-8 w-2/3" />
    <Skeleton className="h-8 w-1/2" />
  </div>
)

export interface MoreToCome {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

/** Below a list of which there is more. */
export const ShowMore = ({ list }: { readonly list: MoreToCome }) =>
  list.hasNextPage && (
    <div className="grid place-items-center p-3">
      <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {t("Show more")}
      </Button>
    </div>
  )

/** Why something that a person did has failed; nothing as long as it has not. */
export const Problem = ({ children }: { readonly children: string | undefined }) =>
  children !== undefined && (
    <p role="alert" className="text-danger">
      {children}
    </p>
  )

/** The service's sentence, and one action. After 429 it counts down and goes on by itself. */
export const ErrorBlock = ({ error, again }: { readonly error: unknown; readonly again: () => void }) => {
  const answer = error instanceof AnswerError ? error : undefined
  const [left, setLeft] = useState(answer?.status === 429 ? (answer.retryAfterSeconds ?? 10) : undefined)
  useEffect(() => {
    if (left === undefined) return
    const timer = setTimeout(() => (left <= 1 ? again() : setLeft(left - 1)), 1_000)
    return () => clearTimeout(timer)
  }, [left, again])
  const sentence = error instanceof Error ? error.message : t("Something went wrong.")
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-12 text-center">
      <p>{sentence}</p>
      {answer !== undefined && answer.status >= 500 && answer.requestId !== undefined && (
        <p className="text-small text-ink-3">
          {t("Request {id}", { id: answer.requestId })} <CopyButton small tone="quiet" text={answer.requestId} />
        </p>
      )}
      <Button onClick={again}>{left === undefined ? t("Try again") : t("Tries again in {n} s", { n: left })}</Button>
    </div>
  )
}
