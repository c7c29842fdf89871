/** Messages with buttons or with a list to choose from, with the channel's own field names and limits. */
import { Schema } from "effect"
import { lines, plainText } from "../../../basics/PlainText.ts"
import { WebAddress } from "./Files.ts"

/** No two items may have the same text: the channel refuses that. */
const unlike = <A>(what: string, of: (item: A) => string) =>
  Schema.makeFilter((items: ReadonlyArray<A>) => {
    const second = items.findIndex((item, i) => items.findIndex((other) => of(other) === of(item)) < i)
    return second < 0 ? undefined : { path: [second], issue: `it has the same ${what} as another one.` }
  })

const Body = (maximum: number) => Schema.Struct({ text: lines(maximum) })
const footer = Schema.optionalKey(Schema.Struct({ text: plainText(60) }))
const TextHeader = Schema.Struct({ type: Schema.Literal("text"), text: plainText(60) })
const Linked = Schema.Struct({ link: WebAddress })
const Header = Schema.Union([
  TextHeader,
  Schema.Struct({ type: Schema.Literal("image"), image: Linked }),
  Schema.Struct({ type: Schema.Literal("video"), video: Linked }),
  Schema.Struct({
    type: Schema.Literal("document"),
    document: Schema.Struct({ link: WebAddress, filename: Schema.optionalKey(plainText(240)) })
  })
])

const Button = Schema.Struct({
  type: Schema.Literal("reply"),
  reply: Schema.Struct({ id: plainText(256), title: plainText(20) })
})

const Buttons = Schema.Struct({
  type: Schema.Literal("button"),
  header: Schema.optionalKey(Header),
  body: Body(1_024),
  footer,
  action: Schema.Struct({
    buttons: Schema.Array(Button).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(3),
      unlike("title", ({ reply }: typeof Button.Type) => reply.title),
      unlike("id", ({ reply }: typeof Button.Type) => reply.id)
    )
  })
})

const Row = Schema.Struct({
  id: plainText(200),
  title: plainText(24),
  description: Schema.optionalKey(plainText(72))
})
const Section = Schema.Struct({
  title: Schema.optionalKey(plainText(24)),
  rows: Schema.Array(Row).check(Schema.isMinLength(1), Schema.isMaxLength(10))
})
type Section = typeof Section.Type

const mostRows = 10

/** Row count and unique row ids hold over all sections. When there are several sections, each needs a title. */
const wholeList = Schema.makeFilter((sections: ReadonlyArray<Section>) => {
  const rows = sections.flatMap((section) => section.rows)
  if (rows.length > mostRows) return `must have at most ${mostRows} rows in all sections together.`
  if (new Set(rows.map(({ id }) => id)).size < rows.length) return "must not have two rows with the same id."
  const untitled = sections.findIndex(({ title }) => title === undefined)
  return sections.length > 1 && untitled >= 0
    ? { path: [untitled, "title"], issue: "it is missing: each of several sections needs a title." }
    : undefined
})

const List = Schema.Struct({
  type: Schema.Literal("list"),
  header: Schema.optionalKey(TextHeader),
  body: Body(4_096),
  footer,
  action: Schema.Struct({
    button: plainText(20),
    sections: Schema.Array(Section).check(Schema.isMinLength(1), Schema.isMaxLength(10), wholeList)
  })
})

export const Interactive = Schema.Struct({
  type: Schema.Literal("interactive"),
  interactive: Schema.Union([Buttons, List])
})
