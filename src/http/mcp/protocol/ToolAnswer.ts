/**
 * What a tool answers: structured data, and the same as short readable text. Together they stay below 32 KB, because hosts cut what is longer. A list
 * that does not fit ends earlier and names the call that gets the rest.
 */
import { Effect } from "effect"
import { z } from "zod"
import type { ToolRefusal } from "./ToolRefusal.ts"

export interface ToolAnswer<O = object> {
  readonly structured: O
  readonly text: string
  /** The id of what was made, for the audit log. */
  readonly subjectId?: string
}

/** The most bytes of an answer, structure and text together. */
export const mostBytes = 32 * 1_024
/** What the frame around rows takes at most. */
const frameBytes = 3 * 1_024

const bytesOf = (value: unknown) => Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value))

/** In the answer of a list, when there is more than it shows. */
export const truncated = z
  .object({
    shown: z.int().describe("How many rows this answer has."),
    total: z.int().nullable().describe("How many there are; null when they were not counted."),
    call: z
      .object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
      .describe("The call that gets the rest.")
  })
  .nullable()
  .describe("Null when this is all there is.")
export type Truncated = z.infer<typeof truncated>

/** The output schema of a list of such rows. Columns that were not asked for are left out. */
export const listOutput = <S extends z.ZodRawShape>(row: z.ZodObject<S>) =>
  z.object({ data: z.array(row.partial()), total: z.int().nullable(), truncated })

/** One line of readable text. */
export const clip = (value: string, most: number): string => {
  const line = value.replace(/\s+/g, " ").trim()
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`
}

/** The tool and the arguments that it was called with. */
interface Asked {
  readonly tool: string
  readonly args: object
}

const restOf = ({ tool, args }: Asked, shown: number, total: number | null, next: object | null): Truncated =>
  next === null ? null : { shown, total, call: { tool, arguments: { ...args, ...next } } }

/** The line that ends the text of a list that is not whole. */
export const restLine = (rest: Truncated): ReadonlyArray<string> =>
  rest === null ? [] : [`Truncated. For the rest call ${rest.call.tool} with ${JSON.stringify(rest.call.arguments)}.`]

/** How many of the pieces fit into an answer, the first one always. */
export const fitting = (pieces: ReadonlyArray<unknown>, room: number = mostBytes - frameBytes): number => {
  let used = 0
  for (const [at, piece] of pieces.entries()) {
    used += bytesOf(piece) + 1
    if (used > room) return Math.max(1, at)
  }
  return pieces.length
}

/** One part of a list, with the arguments that get the next one; null: this was the last. */
export interface Rows<A> {
  readonly data: ReadonlyArray<A>
  readonly total: number | null
  readonly next: object | null
}

export interface ListShape<A, Row extends { readonly id: string }> {
  readonly asked: Asked & {
    readonly args: { readonly limit?: number | undefined; readonly fields?: ReadonlyArray<string> | undefined }
  }
  readonly fetch: (limit: number) => Effect.Effect<Rows<A>, ToolRefusal>
  readonly row: (record: A) => Row
  readonly line: (row: Row) => string
  /** What the text says when there is nothing. */
  readonly none: string
}

const usualRows = 20

/** A list as an answer. When the rows are too large, it asks again for as many as fit, so that the cursor is that of the last one shown. */
export const listed = Effect.fnUntraced(function* <A, Row extends { readonly id: string }>(shape: ListShape<A, Row>) {
  const { asked, fetch, row, line, none } = shape
  const { fields } = asked.args
  const shownOf = (full: Row): Partial<Row> => {
    if (fields === undefined) return full
    return Object.fromEntries(
      Object.entries(full).filter(([name]) => name === "id" || fields.includes(name))
    ) as Partial<Row>
  }
  const textOf = (full: Row) => (fields === undefined ? line(full) : JSON.stringify(shownOf(full)))
  const render = (rows: ReadonlyArray<Row>) => rows.map((full) => ({ data: shownOf(full), text: textOf(full) }))
  let found = yield* fetch(asked.args.limit ?? usualRows)
  let rendered = render(found.data.map(row))
  const most = fitting(rendered)
  if (most < rendered.length) {
    found = yield* fetch(most)
    rendered = render(found.data.map(row))
  }
  const rest = restOf(asked, rendered.length, found.total, found.next)
  const head = found.total === null ? [] : [`${rendered.length} of ${found.total}:`]
  const lines = rendered.length === 0 ? [none] : [...head, ...rendered.map(({ text }) => text)]
  return {
    structured: { data: rendered.map(({ data }) => data), total: found.total, truncated: rest },
    text: [...lines, ...restLine(rest)].join("\n")
  }
})

/** The next part of a list with cursors. */
export const after = (cursor: string | null): object | null => (cursor === null ? null : { cursor })
