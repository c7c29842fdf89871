/** `parley admin numbers …`: an organization's phone numbers at the telephony provider. */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { toE164 } from "../../domain/basics/Phone.ts"
import { makeManageNumbers } from "../../domain/voice/telephony/ManageNumbers.ts"
import { NumberOrigin, PhoneNumbers, type StoredNumber } from "../../domain/voice/telephony/PhoneNumber.ts"
import { NumberType } from "../../domain/voice/telephony/Provisioning.ts"
import { AdminError, answer, existing, explained, json, organization } from "./shared.ts"

const phone = Flag.String("phone").pipe(Flag.withDescription("Number with country code, e.g. +14155550123"))
const agent = Flag.String("agent").pipe(
  Flag.withDescription("Id of the voice agent that answers (agt_…)"),
  Flag.optional
)

const shown = ({ id, phoneNumber, origin, state, agentId }: StoredNumber) => ({
  id,
  phoneNumber,
  origin,
  state,
  agentId
})

/** Prints one JSON object, or one line per row. */
const answerAll = (asJson: boolean, data: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  asJson
    ? Console.log(JSON.stringify({ data }))
    : Console.log(data.length === 0 ? "None." : data.map((row) => Object.values(row).join("  ")).join("\n"))

/** The organization's number. Fails with an `AdminError` when it has no such number. */
const owned = Effect.fnUntraced(function* (organizationId: string, text: string) {
  const numbers = yield* PhoneNumbers
  const e164 = toE164(text)
  const found = e164 === undefined ? undefined : yield* numbers.findByPhone(organizationId, e164)
  return found ?? (yield* new AdminError({ message: `The organization has no number ${text}.` }))
})

const list = Command.make(
  "list",
  { organization, json },
  Effect.fnUntraced(function* ({ organization, json }) {
    const { id } = yield* existing(organization)
    const numbers = yield* PhoneNumbers
    const { data } = yield* numbers.list(id, 1, 1_000)
    yield* answerAll(json, data.map(shown))
  })
).pipe(Command.withDescription("The organization's numbers, newest first (at most 1,000)"))

const search = Command.make(
  "search",
  {
    organization,
    country: Flag.String("country").pipe(Flag.withDescription("Two letters, e.g. US"), Flag.withDefault("US")),
    type: Flag.Literals("type", NumberType.literals).pipe(Flag.withDefault("local")),
    areaCode: Flag.Int("area-code").pipe(Flag.withDescription("US and Canada"), Flag.optional),
    contains: Flag.String("contains").pipe(Flag.withDescription("Digits in it; * is any digit"), Flag.optional),
    limit: Flag.Int("limit").pipe(Flag.withDefault(20)),
    json
  },
  Effect.fnUntraced(function* ({ organization, country, type, areaCode, contains, limit, json }) {
    const { id } = yield* existing(organization)
    const { search } = yield* makeManageNumbers
    const found = yield* explained(
      search(id, {
        country: country.toUpperCase(),
        type,
        areaCode: Option.getOrUndefined(areaCode),
        contains: Option.getOrUndefined(contains),
        capabilities: [],
        limit
      })
    )
    const rows = found.map(({ phoneNumber, locality, region, addressRequired }) => ({
      phoneNumber,
      place: [locality, region].filter((part) => part !== null).join(", "),
      address: addressRequired ? "needs an address" : ""
    }))
    yield* answerAll(json, json ? found : rows)
  })
).pipe(Command.withDescription("Numbers for sale"))

const buy = Command.make(
  "buy",
  {
    organization,
    phone,
    origin: Flag.Literals("origin", NumberOrigin.literals).pipe(
      Flag.withDescription(
        "purchased: buy it; connected: it is in the account; sip: the organization's carrier sends it"
      ),
      Flag.withDefault("purchased")
    ),
    agent,
    json
  },
  Effect.fnUntraced(function* ({ organization, phone, origin, agent, json }) {
    const { id } = yield* existing(organization)
    const { add } = yield* makeManageNumbers
    const input = { phoneNumber: phone, origin, agentId: Option.getOrNull(agent) }
    yield* answer(json, shown(yield* explained(add(id, input))))
  })
).pipe(Command.withDescription("Buy a number, or take one over"))

const assign = Command.make(
  "assign",
  { organization, phone, agent, json },
  Effect.fnUntraced(function* ({ organization, phone, agent, json }) {
    const { id } = yield* existing(organization)
    const { assign } = yield* makeManageNumbers
    const number = yield* owned(id, phone)
    yield* answer(json, shown(yield* explained(assign(id, number.id, Option.getOrNull(agent)))))
  })
).pipe(Command.withDescription("Let a voice agent answer a number; without --agent nobody does"))

const release = Command.make(
  "release",
  { organization, phone, json },
  Effect.fnUntraced(function* ({ organization, phone, json }) {
    const { id } = yield* existing(organization)
    const { release } = yield* makeManageNumbers
    const number = yield* owned(id, phone)
    yield* explained(release(id, number.id))
    yield* answer(json, { id: number.id, phoneNumber: number.phoneNumber, released: true })
  })
).pipe(Command.withDescription("Give a number back to the provider"))

export const numbers = Command.make("numbers").pipe(
  Command.withDescription("Search, buy, assign and release phone numbers"),
  Command.withSubcommands([list, search, buy, assign, release])
)
