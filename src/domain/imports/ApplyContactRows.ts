/**
 * Makes contacts of the rows of an import. It runs in the transaction of the import, so that a row is applied once. A contact is made and changed as
 * by `POST /contacts`: the same events, the same evidence of consent, the same entries in the audit log.
 */
import { Effect, Schema } from "effect"
import { Acting } from "../people/access/Audit.ts"
import { type Contact, Contacts, NewContact } from "../people/contacts/Contact.ts"
import { makeManageContacts } from "../people/contacts/ManageContacts.ts"
import { type ImportJob, ImportQueue, type RowOutcome, type WaitingRow } from "./Imports.ts"

const decode = Schema.decodeUnknownEffect(NewContact)
const skipped: RowOutcome = { _tag: "Skipped" }
const created: RowOutcome = { _tag: "Created" }
const updated: RowOutcome = { _tag: "Updated" }

/** The most tags of a contact. */
const mostTags = 50
const tooManyTags: RowOutcome = {
  _tag: "Refused",
  field: "tags",
  problem: `tags are too many: with those that the contact has there would be more than ${mostTags}.`
}

/** What the row changes of a contact: it adds tags, and says what it says. */
const changesOf = (before: Contact, input: NewContact): NewContact => ({
  ...input,
  tags: [...new Set([...before.tags, ...(input.tags ?? [])])]
})

const differs = (before: Contact, { name, email, tags, optedIn }: NewContact): boolean =>
  before.archivedAt !== null ||
  (name !== undefined && name !== before.name) ||
  (email !== undefined && email !== before.email) ||
  (optedIn !== undefined && optedIn !== before.optedIn) ||
  (tags?.length ?? 0) !== before.tags.length

interface Row {
  readonly number: number
  readonly input: NewContact
}

/** Needs Contacts, Audit and ImportQueue once. The function it gives is what `ImportQueue.advance` wants. */
export const makeApplyContactRows = Effect.gen(function* () {
  const contacts = yield* Contacts
  const queue = yield* ImportQueue
  const { createAll, save } = yield* makeManageContacts

  /** The outcome of a row whose number a contact has. */
  const judged = (
    before: Contact,
    input: NewContact
  ): { readonly outcome: RowOutcome; readonly changes: NewContact } => {
    const changes = changesOf(before, input)
    if ((changes.tags?.length ?? 0) > mostTags) return { outcome: tooManyTags, changes }
    return { outcome: differs(before, changes) ? updated : skipped, changes }
  }

  /** Changes a contact, whose row comes after others of the same number perhaps. */
  const update = Effect.fnUntraced(function* ({ organizationId, requestedBy }: ImportJob, { input }: Row) {
    const before = yield* contacts.findByPhone(organizationId, input.phone)
    if (before === undefined) return skipped
    const { outcome, changes } = judged(before, input)
    if (outcome === updated) yield* save(organizationId, changes, requestedBy)
    return outcome
  })

  const make = Effect.fnUntraced(function* (job: ImportJob, rows: ReadonlyArray<Row>) {
    const { organizationId, requestedBy, onDuplicate } = job
    const inputs = rows.map(({ input }) => input)
    if (onDuplicate === "update")
      yield* contacts.hold(
        organizationId,
        inputs.map(({ phone }) => phone)
      )
    const made = yield* createAll(organizationId, inputs, requestedBy)
    return yield* Effect.forEach(rows, (row, at) => {
      if (made[at]) return Effect.succeed(created)
      return onDuplicate === "skip" ? Effect.succeed(skipped) : update(job, row)
    })
  })

  /** What `make` would do. */
  const foresee = Effect.fnUntraced(function* (job: ImportJob, rows: ReadonlyArray<Row>) {
    const { organizationId, id, onDuplicate } = job
    const known = yield* contacts.withPhones(
      organizationId,
      rows.map(({ input }) => input.phone)
    )
    const repeated = yield* queue.repeated(
      organizationId,
      id,
      rows.map(({ number }) => number)
    )
    return rows.map(({ number, input }) => {
      const before = known.get(input.phone)
      if (before === undefined && !repeated.has(number)) return created
      if (onDuplicate === "skip") return skipped
      return before === undefined ? updated : judged(before, input).outcome
    })
  })

  return Effect.fnUntraced(function* (job: ImportJob, waiting: ReadonlyArray<WaitingRow>) {
    const rows = yield* Effect.forEach(waiting, ({ number, input }) =>
      Effect.map(Effect.orDie(decode(input)), (contact): Row => ({ number, input: contact }))
    )
    const acting = { actor: job.actor, ip: null, requestId: null }
    return yield* Effect.provideService(job.dryRun ? foresee(job, rows) : make(job, rows), Acting, acting)
  })
})
