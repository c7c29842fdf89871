/** Use case: add and remove operators, and change their passwords. Only the command line does it, so whoever may do it has the machine already. */
import { Effect, Schema } from "effect"
import { traced } from "../basics/Traced.ts"
import { passwordProblem } from "../people/access/PasswordRules.ts"
import { InstallationLog } from "./InstallationLog.ts"
import { type Operator, Operators } from "./Operator.ts"

/** The password is one that is guessed first; `message` is a sentence. */
export class WeakOperatorPassword extends Schema.TaggedError<WeakOperatorPassword>()("WeakOperatorPassword", {
  message: Schema.String
}) {}

/** Needs Operators and InstallationLog once; the functions it gives need nothing. */
export const makeManageOperators = Effect.gen(function* () {
  const operators = yield* Operators
  const log = yield* InstallationLog

  const hashOf = Effect.fnUntraced(function* ({ email, name }: Pick<Operator, "email" | "name">, password: string) {
    const problem = passwordProblem(password, [email, name])
    if (problem !== undefined)
      return yield* new WeakOperatorPassword({ message: `The password is invalid: ${problem}` })
    return yield* operators.hash(password)
  })

  const add = traced("ManageOperators.add")(function* (
    { email, name }: Pick<Operator, "email" | "name">,
    password: string
  ) {
    const passwordHash = yield* hashOf({ email, name }, password)
    return yield* log.recorded(operators.create({ email, name, passwordHash }), ({ id }) => ({
      type: "operator.added",
      subjectId: id,
      details: { after: { email, name } }
    }))
  })

  /** Gives how many sessions ended. */
  const replacePassword = traced("ManageOperators.replacePassword")(function* (operator: Operator, password: string) {
    const passwordHash = yield* hashOf(operator, password)
    return yield* log.recorded(operators.setPassword(operator.id, passwordHash), () => ({
      type: "operator.password_changed",
      subjectId: operator.id
    }))
  })

  const remove = traced("ManageOperators.remove")(({ id, email, name }: Operator) =>
    log.recorded(operators.remove(id), () => ({
      type: "operator.removed",
      subjectId: id,
      details: { before: { email, name } }
    }))
  )

  return { add, replacePassword, remove }
})
