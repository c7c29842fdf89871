/** Contacts as CSV, in the columns that an import reads. */
import { Effect, Option, Stream } from "effect"
import type { Contact, ContactFilter, Contacts } from "../people/contacts/Contact.ts"
import { csvCell } from "./ImportReport.ts"

/** Contacts that are read at a time. */
const pageSize = 500

const columns: ReadonlyArray<readonly [name: string, value: (contact: Contact) => string | null]> = [
  ["phone", ({ phone }) => phone],
  ["name", ({ name }) => name],
  ["email", ({ email }) => email],
  ["tags", ({ tags }) => tags.join(";")],
  ["opted in", ({ optedIn }) => String(optedIn)]
]

const line = (cells: ReadonlyArray<string>) => `${cells.map(csvCell).join(",")}\r\n`

/** The file, a few hundred contacts at a time, newest first. It begins with a byte order mark: spreadsheets know by it that the file is UTF-8. */
export const exportContacts = (
  { list }: Pick<Contacts["Service"], "list">,
  organizationId: string,
  filter: ContactFilter
): Stream.Stream<string> => {
  const head = `\uFEFF${line(columns.map(([name]) => name))}`
  const rows = Stream.paginate({ page: 1, limit: pageSize } as Parameters<typeof list>[2], (part) =>
    Effect.map(list(organizationId, filter, part), ({ data, next }) => [
      data,
      next === null ? Option.none() : Option.some({ page: 1, limit: pageSize, after: next })
    ])
  )
  return Stream.concat(
    Stream.succeed(head),
    Stream.map(rows, (contact) => line(columns.map(([, value]) => value(contact) ?? "")))
  )
}
