/** Who is signed in. A session that ends while somebody works keeps page and drafts, and asks for the password in place. */
import { AnswerError, type Session } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { createContext, type ReactNode, useContext, useEffect, useState } from "react"
import { setTimeZone } from "../lib/format.ts"
import { forgetDrafts } from "../lib/storage.ts"
import { onUnauthorized, parley, setCsrfToken } from "./client.ts"
import { keys } from "./keys.ts"
import { clearOutbox } from "./outbox.ts"

export interface SessionState {
  /** Null when nobody is signed in; undefined until it is known. */
  readonly session: Session | null | undefined
  /** The service could not be asked. */
  readonly problem: Error | null
  readonly ask: () => void
  /** The session has ended under the person's hands. */
  readonly over: boolean
  readonly signIn: (email: string, password: string) => Promise<void>
  /** Goes on with a session that has just begun. */
  readonly enter: (session: Session) => Promise<void>
  readonly signOut: () => Promise<void>
}

const Context = createContext<SessionState | undefined>(undefined)

const current = async (): Promise<Session | null> => {
  try {
    return await parley.session.get()
  } catch (cause) {
    if (cause instanceof AnswerError && cause.status === 401) return null
    throw cause
  }
}

/** `enabled`: false at pages that are not for people of an organization. */
export const SessionProvider = ({
  enabled = true,
  children
}: {
  readonly enabled?: boolean
  readonly children: ReactNode
}) => {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: keys.session,
    queryFn: current,
    enabled,
    staleTime: Number.POSITIVE_INFINITY
  })
  const [over, setOver] = useState(false)
  setCsrfToken(data?.csrfToken)
  setTimeZone(data?.timeZone)
  useEffect(
    () =>
      onUnauthorized(() => {
        if (client.getQueryData(keys.session) !== null) setOver(true)
      }),
    [client]
  )

  const enter = async (session: Session) => {
    const before = client.getQueryData<Session | null>(keys.session)
    setCsrfToken(session.csrfToken)
    // Somebody else at the same page: nothing of the person before may stay.
    if (before !== null && before !== undefined && before.user.id !== session.user.id) client.clear()
    client.setQueryData(keys.session, session)
    setOver(false)
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" })
  }
  const signIn = async (email: string, password: string) => enter(await parley.session.start({ email, password }))
  const signOut = async () => {
    await parley.session.end().catch((cause: unknown) => {
      if (!(cause instanceof AnswerError && cause.status === 401)) throw cause
    })
    forgetDrafts()
    await clearOutbox()
    client.clear()
    client.setQueryData(keys.session, null)
  }
  const value: SessionState = { session: data, problem: error, ask: () => void refetch(), over, signIn, enter, signOut }
  return <Context value={value}>{children}</Context>
}

export const useSessionState = (): SessionState => {
  const state = useContext(Context)
  if (state === undefined) throw new Error("There is no SessionProvider above.")
  return state
}

/** The session of a page that only a signed-in person sees. */
export const useSession = (): Session => {
  const { session } = useSessionState()
  if (session === null || session === undefined) throw new Error("Nobody is signed in.")
  return session
}
