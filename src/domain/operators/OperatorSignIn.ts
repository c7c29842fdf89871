/** Use case: an operator signs in and out. */
import { Effect, Schema } from "effect"
import { traced } from "../basics/Traced.ts"
import { Acting } from "../people/access/Audit.ts"
import { InstallationLog } from "./InstallationLog.ts"
import { Operators } from "./Operator.ts"
import { type OperatorSession, OperatorSessions } from "./OperatorSession.ts"

/** 401: no operator has this address and password. It does not tell whether the address is known. */
export class NoSuchOperator extends Schema.TaggedError<NoSuchOperator>()("NoSuchOperator", {}) {}

/** Needs Operators, OperatorSessions and InstallationLog once; the functions it gives need nothing. */
export const makeOperatorSignIn = Effect.gen(function* () {
  const operators = yield* Operators
  const sessions = yield* OperatorSessions
  const log = yield* InstallationLog

  /** Starts a session; gives it with the value of its cookie. `origin`: from where the operator signs in. */
  const start = traced("OperatorSignIn.start")(function* (
    email: string,
    password: string,
    { userAgent, ...origin }: Pick<Acting, "ip" | "requestId"> & { readonly userAgent: string | null }
  ) {
    const verified = yield* operators.verify(email, password)
    if (verified === undefined) return yield* new NoSuchOperator()
    const begin = Effect.flatMap(sessions.start(verified, { ip: origin.ip, userAgent }), (started) =>
      started === undefined ? Effect.fail(new NoSuchOperator()) : Effect.succeed(started)
    )
    return yield* log
      .recorded(begin, ({ session }) => ({ type: "session.started", subjectId: session.id }))
      .pipe(Effect.provideService(Acting, { actor: { type: "operator", id: verified.operator.id }, ...origin }))
  })

  const end = traced("OperatorSignIn.end")(({ id }: OperatorSession) =>
    log.recorded(sessions.end(id), () => ({ type: "session.ended", subjectId: id }))
  )

  return { start, end }
})
