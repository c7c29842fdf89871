/** The records of a module as CSV, in the columns that an import reads. */
import { Effect, Option, Stream } from "effect"
import { csvCell } from "../../imports/ImportReport.ts"
import type { CustomField } from "../records/CustomFields.ts"
import type { ModuleRecord, RecordFilter, Records } from "../records/ModuleRecord.ts"
import { columnsOf, type ModuleFile } from "./ModuleFile.ts"

/** Records that are read at a time. */
const pageSize = 500

/**
 * The file, a few hundred records at a time, oldest first. It begins with a byte order mark: spreadsheets know by it that the file is UTF-8. Records
 * that are made meanwhile come at its end.
 */
export const exportRecords = <Kept extends ModuleRecord, New, Changes, Reported, Input>(
  file: ModuleFile<Kept, Input>,
  records: Records<Kept, New, Changes, Reported>,
  organizationId: string,
  filter: Pick<RecordFilter, "search" | "archived" | "fields">,
  fields: ReadonlyArray<CustomField>
): Stream.Stream<string> => {
  const columns = columnsOf(file, fields).flatMap(({ field, write }) => (write === undefined ? [] : [{ field, write }]))
  const line = (cells: ReadonlyArray<string>) => `${cells.map(csvCell).join(",")}\r\n`
  const row = (record: Kept) => line(columns.map(({ write }) => String(write(record) ?? "")))
  const rows = Stream.paginate({ page: 1, limit: pageSize } as Parameters<typeof records.list>[2], (part) =>
    Effect.map(records.list(organizationId, { ...filter, sort: "createdAt" }, part), ({ data, next }) => [
      data,
      next === null ? Option.none() : Option.some({ page: 1, limit: pageSize, after: next })
    ])
  )
  const head = `\uFEFF${line(columns.map(({ field }) => field))}`
  return Stream.concat(Stream.succeed(head), Stream.map(rows, row))
}
