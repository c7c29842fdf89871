/** Template messages: the channel has approved their text before. Components fill its placeholders, with the channel's own field names. */
import { Schema } from "effect"
import { lines, oneLine, plainText } from "../../../basics/PlainText.ts"
import { WebAddress } from "./Files.ts"

const few = <S extends Schema.Top>(item: S, most: number) => Schema.Array(item).check(Schema.isMaxLength(most))

/** The value of a placeholder. The channel refuses line breaks, tabs and more than four spaces in a row. */
const GapText = plainText(1_024).check(
  Schema.makeFilter((text: string) => !/ {5}/.test(text) || "must not contain more than four spaces in a row.")
)

/** A file by its address or by the channel's own id. */
const Linked = Schema.Struct({
  link: Schema.optionalKey(WebAddress),
  id: Schema.optionalKey(plainText(100)),
  filename: Schema.optionalKey(plainText(240))
}).check(
  Schema.makeFilter(({ link, id }) => (link === undefined) !== (id === undefined) || "send either link or id in it.")
)

/** The name of the placeholder, for templates with named placeholders. */
const named = { parameter_name: Schema.optionalKey(plainText(60)) }

const Parameter = Schema.Union([
  Schema.Struct({ type: Schema.Literal("text"), ...named, text: GapText }),
  Schema.Struct({
    type: Schema.Literal("currency"),
    ...named,
    currency: Schema.Struct({
      fallback_value: plainText(60),
      code: Schema.String.check(
        Schema.makeFilter((code: string) => /^[A-Z]{3}$/.test(code) || "must be a currency's three letters, like EUR.")
      ),
      /** The amount in thousandths of the currency's unit. */
      amount_1000: Schema.Int
    })
  }),
  Schema.Struct({
    type: Schema.Literal("date_time"),
    ...named,
    date_time: Schema.Struct({ fallback_value: plainText(60) })
  }),
  Schema.Struct({ type: Schema.Literal("image"), image: Linked }),
  Schema.Struct({ type: Schema.Literal("video"), video: Linked }),
  Schema.Struct({ type: Schema.Literal("document"), document: Linked }),
  Schema.Struct({
    type: Schema.Literal("location"),
    location: Schema.Struct({
      latitude: Schema.Union([Schema.Number, plainText(30)]),
      longitude: Schema.Union([Schema.Number, plainText(30)]),
      name: Schema.optionalKey(plainText(1_000)),
      address: Schema.optionalKey(plainText(1_000))
    })
  }),
  Schema.Struct({ type: Schema.Literal("payload"), payload: lines(256) }),
  Schema.Struct({ type: Schema.Literal("coupon_code"), coupon_code: plainText(20) }),
  Schema.Struct({ type: Schema.Literal("action"), action: Schema.Record(Schema.String, Schema.Json) })
])

const parameters = few(Parameter, 60)

/** The position of a button, from 0. The channel expects it as text. */
const ButtonIndex = Schema.Union([
  Schema.String.check(
    Schema.makeFilter((index: string) => /^\d$/.test(index) || 'must be the place of the button, "0" to "9".')
  ),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
])

const Component = Schema.Union([
  Schema.Struct({ type: Schema.Literal("header"), parameters: Schema.optionalKey(parameters) }),
  Schema.Struct({ type: Schema.Literal("body"), parameters: Schema.optionalKey(parameters) }),
  Schema.Struct({
    type: Schema.Literal("button"),
    sub_type: Schema.Literals(["quick_reply", "url", "flow", "catalog", "copy_code"]),
    index: ButtonIndex,
    parameters: Schema.optionalKey(parameters)
  })
])

export const TemplateMessage = Schema.Struct({
  type: Schema.Literal("template"),
  templateName: oneLine(512).check(
    Schema.makeFilter(
      (name: string) => /^[a-z0-9_]+$/.test(name) || "must be a template's name: small letters, digits and underscores."
    )
  ),
  /** The channel's spelling. */
  language: Schema.String.check(
    Schema.makeFilter(
      (code: string) =>
        /^[a-z]{2,3}(_[A-Za-z0-9]{2,8})?$/.test(code) ||
        "must be a language as the channel spells it, like en_US or de."
    )
  ),
  components: few(Component, 20)
})
