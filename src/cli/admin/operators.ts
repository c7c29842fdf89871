/** The `parley admin` commands for operators, who sign in at `/operator` and look after the whole installation. */
import { Effect, Redacted, Schema } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { makeManageOperators, type WeakOperatorPassword } from "../../domain/operators/ManageOperators.ts"
import { Operators } from "../../domain/operators/Operator.ts"
import { Email, longestPassword, Password, shortestPassword } from "../../domain/people/access/User.ts"
import { AdminError, answer, json } from "./shared.ts"

const email = Flag.String("email").pipe(Flag.withDescription("E-mail address the operator signs in with"))

const password = Flag.Redacted("password").pipe(
  Flag.withDescription("Asked for when absent"),
  Flag.withFallbackPrompt(Prompt.Password({ message: "Password" }))
)

const acceptable = Effect.fnUntraced(function* (given: Redacted.Redacted) {
  const secret = Redacted.value(given)
  if (!Schema.is(Password)(secret))
    return yield* new AdminError({
      message: `The password needs at least ${shortestPassword} characters, and at most ${longestPassword}.`
    })
  return secret
})

const refused = {
  WeakOperatorPassword: ({ message }: WeakOperatorPassword) => new AdminError({ message }),
  PasswordsBusy: Effect.die
}

const known = Effect.fnUntraced(function* (address: string) {
  const operators = yield* Operators
  const found = yield* operators.findByEmail(address)
  return found ?? (yield* new AdminError({ message: `No operator signs in with ${address}.` }))
})

const add = Command.make(
  "add",
  { email, name: Flag.String("name").pipe(Flag.withDescription("Name of the operator")), password, json },
  Effect.fnUntraced(function* ({ email, name, password, json }) {
    if (!Schema.is(Email)(email)) return yield* new AdminError({ message: `${email} is not an e-mail address.` })
    const secret = yield* acceptable(password)
    const operators = yield* makeManageOperators
    const { id } = yield* operators.add({ email, name }, secret).pipe(
      Effect.catchTags({
        ...refused,
        DuplicateOperator: () => new AdminError({ message: `An operator signs in with ${email} already.` })
      })
    )
    yield* answer(json, { id, email, name })
  })
).pipe(Command.withDescription("Add an operator, who may see and change all organizations"))

const setPassword = Command.make(
  "set-password",
  { email, password, json },
  Effect.fnUntraced(function* ({ email, password, json }) {
    const secret = yield* acceptable(password)
    const operator = yield* known(email)
    const operators = yield* makeManageOperators
    const sessionsEnded = yield* operators.replacePassword(operator, secret).pipe(Effect.catchTags(refused))
    yield* answer(json, { id: operator.id, email: operator.email, sessionsEnded })
  })
).pipe(Command.withDescription("Give an operator a new password; ends their sessions"))

const remove = Command.make(
  "remove",
  { email, json },
  Effect.fnUntraced(function* ({ email, json }) {
    const operator = yield* known(email)
    const operators = yield* makeManageOperators
    yield* operators.remove(operator)
    yield* answer(json, { id: operator.id, email: operator.email, removed: true })
  })
).pipe(Command.withDescription("Remove an operator; ends their sessions"))

const list = Command.make(
  "list",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const operators = yield* (yield* Operators).list
    if (json) return yield* answer(json, { operators })
    if (operators.length === 0) return yield* answer(json, { operators: "There are none." })
    yield* answer(json, Object.fromEntries(operators.map(({ email, name }) => [email, name])))
  })
).pipe(Command.withDescription("List the operators"))

export const operators = Command.make("operators").pipe(
  Command.withDescription("Who looks after the installation at /operator"),
  Command.withSubcommands([add, setPassword, remove, list])
)
