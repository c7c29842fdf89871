/** `#msg_…` in the address: the message is looked for in the thread, page by page back in time, and shown in its middle. */
import { useLocation } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"

/** So many entries are read at most for one message. */
const mostEntries = 1_000

interface Loaded {
  readonly entries: ReadonlyArray<{ readonly message?: { readonly id: string } | undefined }>
  readonly isPending: boolean
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

/** The id of the message that the address names, once it stands in the thread. */
export const useSought = ({ entries, isPending, hasNextPage, isFetchingNextPage, fetchNextPage }: Loaded) => {
  const hash = useLocation({ select: (location) => location.hash })
  const [over, setOver] = useState<string>()
  const sought = hash.startsWith("msg_") ? hash : undefined
  const there = sought !== undefined && entries.some(({ message }) => message?.id === sought)
  useEffect(() => {
    if (sought === undefined || sought === over || isPending || isFetchingNextPage) return
    if (there) {
      document.getElementById(sought)?.scrollIntoView({ block: "center" })
      setOver(sought)
    } else if (hasNextPage && entries.length < mostEntries) void fetchNextPage()
    else {
      setOver(sought)
      say(t("The message of this link is not in this conversation, or lies too far back."))
    }
  }, [sought, over, there, isPending, isFetchingNextPage, hasNextPage, entries.length, fetchNextPage])
  return there ? sought : undefined
}
