/** Who is signed in as an operator. */
import { AnswerError } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { keys } from "../../api/keys.ts"
import { onOperatorEnded, operator, setOperatorCsrf } from "../../api/operator.ts"
import type { OperatorSession } from "../../api/operators/types.ts"

const current = async (): Promise<OperatorSession | null> => {
  try {
    return await operator.operatorSession.get()
  } catch (cause) {
    if (cause instanceof AnswerError && cause.status === 401) return null
    throw cause
  }
}

export const useOperator = () => {
  const client = useQueryClient()
  const { data: session, error, refetch } = useQuery({ queryKey: keys.operatorSession, queryFn: current })
  setOperatorCsrf(session?.csrfToken)
  const enter = (next: OperatorSession | null) => {
    setOperatorCsrf(next?.csrfToken)
    // Somebody else may sign in at the same page: nothing of the operator before may stay.
    client.removeQueries({ queryKey: ["operator"], predicate: ({ queryKey }) => queryKey[1] !== "session" })
    client.setQueryData(keys.operatorSession, next)
  }
  useEffect(() => onOperatorEnded(() => client.setQueryData(keys.operatorSession, null)), [client])
  return {
    /** Null when nobody is signed in; undefined until it is known. */
    session,
    problem: error,
    ask: () => void refetch(),
    signIn: async (email: string, password: string) => enter(await operator.operatorSession.start({ email, password })),
    signOut: async () => {
      await operator.operatorSession.end().catch((cause: unknown) => {
        if (!(cause instanceof AnswerError && cause.status === 401)) throw cause
      })
      enter(null)
    }
  }
}
