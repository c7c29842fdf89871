/** Invalid input of POST /send, for each of the ten types and every field: the status, one sentence that names the field, and no change. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { contents, type Messaging, startMessaging } from "../../../support/messaging.ts"
import { everyType } from "../../../support/outgoing.ts"

const long = (length: number) => "x".repeat(length)
const to = "+14155550199"
const missing = Symbol("missing")

type Body = Readonly<Record<string, unknown>>
/** The path in the body, as the sentence names it, and the invalid value. */
type Wrong = readonly [path: string, values: ReadonlyArray<unknown>]

const notText = [missing, null, 7, true, {}, []]
const strange = ["a\u0000b", "a\u001bb", "\ud800"]
const oneLine = (most: number) => [...notText, "", "  ", "a\nb", ...strange, long(most + 1)]
const lines = (most: number) => [...notText, "", " \n ", ...strange, long(most + 1)]
/** The same for a field that may be left out. */
const optional = (values: ReadonlyArray<unknown>) => values.filter((value) => value !== missing)
const addresses = [
  "",
  "x",
  "example.com/a.jpg",
  "ftp://example.com/a",
  "javascript:alert(1)",
  "data:image/png;base64,AA",
  "file:///etc/passwd",
  "https://user:pass@example.com/a",
  "https://exa mple.com",
  "https://example.com/a\u0000b",
  "https://example.com/a\u001bb",
  "https://example.com/\ud800",
  `https://example.com/${long(2_048)}`,
  null,
  7,
  {},
  []
]
const mediaIds = ["", "x", "msg_1", "med_", "med_a b", "med_\u0000", null, 7, {}]
const media: ReadonlyArray<Wrong> = [
  ["mediaUrl", [missing, ...addresses]],
  ["mediaId", mediaIds]
]
const caption: Wrong = ["caption", optional(lines(1_024))]
const messageIds = [
  "",
  "x",
  "cnt_1",
  "msg_",
  "msg_'; DROP TABLE messages; --",
  "msg_\u0000",
  `msg_${long(61)}`,
  null,
  7,
  {},
  []
]

const wrong: Readonly<Record<string, ReadonlyArray<Wrong>>> = {
  text: [
    ["text", lines(4_096)],
    ["previewUrl", ["true", 1, null, {}]]
  ],
  image: [...media, caption],
  document: [...media, caption, ["filename", [...oneLine(240), "../a.pdf", "a/b.pdf", "a\\b.pdf"]]],
  audio: media,
  video: [...media, caption],
  template: [
    ["templateName", [...notText, "", "Order", "order update", "bestellung_ü", long(513)]],
    ["language", [...notText, "", "english", "EN", "en-US", "en_", "en_US_x y"]],
    ["components", [missing, null, "x", {}, [7], [null], Array.from({ length: 21 }, () => ({ type: "body" }))]],
    ["components.0", [{}, { type: "footer" }, { type: "HEADER" }, { type: 7 }, []]],
    ["components.0.parameters", [null, "x", {}, Array.from({ length: 61 }, () => ({ type: "text", text: "x" }))]],
    ["components.0.parameters.0", [{}, { type: "sticker" }, { type: "image" }, 7, null]],
    ["components.0.parameters.0.image", [null, {}, { link: "x" }, { link: "https://a.de", id: "1" }, { id: "" }]],
    ["components.1.parameters.0.text", [...oneLine(1_024), "a     b"]],
    ["components.1.parameters.0.parameter_name", ["", 7, "a\nb"]],
    ["components.2.index", [missing, null, "", "10", "a", -1, 10, 1.5]],
    ["components.2.sub_type", [missing, null, "", "QUICK_REPLY", "voice"]],
    ["components.2.parameters.0.payload", lines(256)],
    [
      "components.2.parameters.0",
      ["\u0000", "\ud800"].flatMap((text) =>
        [text, [text], { [text]: "x" }, { deep: [{ text: `Hello ${text}` }] }].map((data) => ({
          type: "action",
          action: { flow_action_data: data }
        }))
      )
    ]
  ],
  interactive: [
    ["interactive", [missing, null, "x", 7, [], {}, { type: "flow" }, { type: 7 }]],
    [
      "interactive.header",
      [
        null,
        {},
        { type: "gif" },
        { type: "image", image: { link: "https://a.de/a.jpg" } },
        { type: "text", text: "" },
        { type: "text", text: long(61) }
      ]
    ],
    ["interactive.body", [missing, null, "x", {}, { text: "" }, { text: long(4_097) }]],
    ["interactive.footer", [null, "x", {}, { text: "" }, { text: long(61) }]],
    ["interactive.action", [missing, null, "x", {}]],
    ["interactive.action.button", oneLine(20)],
    [
      "interactive.action.sections",
      [
        missing,
        null,
        {},
        [],
        Array.from({ length: 11 }, (_, i) => ({ title: `${i}`, rows: [{ id: `${i}`, title: "x" }] })),
        [1, 2].map((s) => ({
          title: `${s}`,
          rows: Array.from({ length: 6 }, (_, i) => ({ id: `${s}.${i}`, title: "x" }))
        })),
        [{ rows: [{ id: "1", title: "x" }] }, { rows: [{ id: "2", title: "y" }] }],
        [
          {
            rows: [
              { id: "1", title: "x" },
              { id: "1", title: "y" }
            ]
          }
        ]
      ]
    ],
    ["interactive.action.sections.0.title", optional(oneLine(24))],
    [
      "interactive.action.sections.0.rows",
      [missing, null, {}, [], Array.from({ length: 11 }, (_, i) => ({ id: `${i}`, title: "x" }))]
    ],
    ["interactive.action.sections.0.rows.0.id", oneLine(200)],
    ["interactive.action.sections.0.rows.0.title", oneLine(24)],
    ["interactive.action.sections.0.rows.0.description", optional(oneLine(72))]
  ],
  location: [
    ["latitude", [missing, null, "12", 90.01, -90.01, 9e99, {}, []]],
    ["longitude", [missing, null, "12", 180.01, -181, 9e99, {}, []]],
    ["name", oneLine(1_000)],
    ["address", optional(oneLine(1_000))]
  ],
  contact: [
    [
      "contacts",
      [
        missing,
        null,
        "x",
        {},
        [],
        [7],
        Array.from({ length: 258 }, () => ({ name: { formatted_name: "A", first_name: "A" } }))
      ]
    ],
    ["contacts.0.name", [missing, null, "Asha", {}, { formatted_name: "Asha" }]],
    ["contacts.0.name.formatted_name", oneLine(200)],
    ["contacts.0.name.first_name", optional(oneLine(200))],
    [
      "contacts.0.phones",
      [null, "x", {}, [{}], [{ phone: "" }], [{ phone: long(41) }], Array.from({ length: 21 }, () => ({ phone: "1" }))]
    ],
    ["contacts.0.emails", [null, [{}], [{ email: 7 }]]],
    ["contacts.0.urls", [null, [{}], [{ url: "x" }]]],
    ["contacts.0.birthday", ["", "1990", "1990-13-01", "1990-02-30", "18.8.1990", 7, null]]
  ],
  reaction: [
    ["messageId", [missing, ...messageIds]],
    ["emoji", [missing, null, 7, {}, "a", "👍👍", "ok", " ", "\u0000", "<b>", "1"]]
  ]
}

const everywhere: ReadonlyArray<Wrong> = [
  [
    "to",
    [
      missing,
      null,
      7,
      {},
      [],
      "",
      "  ",
      "12345",
      "0415 555 0123",
      "+1",
      "+999123",
      "anonymous",
      "cnt_",
      "cnt_a b",
      "+1415555\u00000123",
      long(81)
    ]
  ],
  ["type", [missing, null, 7, {}, [], "", "Text", "sticker", "text ", "__proto__"]],
  ["replyTo", messageIds]
]

const buttons = {
  type: "interactive",
  interactive: {
    type: "button",
    body: { text: "Ready?" },
    action: { buttons: [{ type: "reply", reply: { id: "y", title: "Yes" } }] }
  }
}
const button = (id: unknown, title: unknown) => ({ type: "reply", reply: { id, title } })
const wrongButtons: ReadonlyArray<Wrong> = [
  ["interactive.body.text", lines(1_024)],
  [
    "interactive.header",
    [{ type: "image" }, { type: "image", image: { link: "x" } }, { type: "video", video: { id: "1" } }]
  ],
  [
    "interactive.action.buttons",
    [
      missing,
      null,
      {},
      [],
      [7],
      [{}],
      [1, 2, 3, 4].map((i) => button(`${i}`, `${i}`)),
      [button("1", "Yes"), button("2", "Yes")],
      [button("1", "Yes"), button("1", "No")]
    ]
  ],
  ["interactive.action.buttons.0.reply.id", oneLine(256)],
  ["interactive.action.buttons.0.reply.title", oneLine(20)]
]

/** `body` with `value` at `path`. */
const withAt = (body: Body, path: string, value: unknown): Body => {
  const copy = structuredClone(body)
  const steps = path.split(".")
  const last = steps.pop() ?? ""
  const place = steps.reduce<Record<string, unknown>>(
    (at, step) => at[step] as Record<string, unknown>,
    copy as Record<string, unknown>
  )
  if (value === missing) delete place[last]
  else place[last] = value
  return copy
}

type Row = readonly [what: string, body: unknown, status: number, names: string]

const rowsOf = (base: Body, fields: ReadonlyArray<Wrong>): ReadonlyArray<Row> =>
  fields.flatMap(([path, values]) =>
    values.map((value): Row => {
      const shown = value === missing ? "missing" : (JSON.stringify(value) ?? "").slice(0, 60)
      return [`${base.type} ${path} ${shown}`, withAt(base, path, value), 400, path.split(".")[0]]
    })
  )

const deep = (depth: number) => `${`{"a":`.repeat(depth)}1${"}".repeat(depth)}`

const table = (hello: string): ReadonlyArray<Row> => {
  const bases = everyType(hello).map((body): Body & { readonly type: string } => ({ to, ...body }))
  return [
    ...bases.flatMap((base) => rowsOf(base, wrong[base.type])),
    ...rowsOf({ to, ...buttons }, wrongButtons),
    ...rowsOf({ to, type: "text", text: "Hello" }, everywhere),
    ["both sources", { to, type: "image", mediaUrl: "https://example.com/a.jpg", mediaId: "med_1" }, 400, "mediaUrl"],
    ["no such upload", { to, type: "image", mediaId: "med_1" }, 404, "med_1"],
    ["no such message", { to, type: "text", text: "x", replyTo: "msg_1" }, 404, "msg_1"],
    ["nothing to react to", { to, type: "reaction", messageId: "msg_1", emoji: "👍" }, 404, "msg_1"],
    ["no such contact", { to: "cnt_1", type: "text", text: "x" }, 404, "cnt_1"],
    ["an answer to somebody else", { to, type: "text", text: "x", replyTo: hello }, 400, "replyTo"],
    ["a reaction to somebody else", { to, type: "reaction", messageId: hello, emoji: "👍" }, 400, "messageId"],
    ...["{", "", "[]", '"x"', "null", "7"].map((body): Row => [`the body ${body}`, body, 400, "body"]),
    ["200 KB of text", { to, type: "text", text: long(200_000) }, 400, "text"],
    ["300 KB of text", { to, type: "text", text: long(300_000) }, 400, "body"],
    ["10 MB of text", { to, type: "text", text: long(10_000_000) }, 400, "body"],
    ["18 MB", { to, type: "text", text: long(18_000_000) }, 400, ""],
    [
      "deep components",
      `{"to":"${to}","type":"template","templateName":"a","language":"en","components":[${deep(5_000)}]}`,
      400,
      "components"
    ],
    ...[101, 3_000, 20_000].map(
      (depth): Row => [
        `free data ${depth} deep`,
        `{"to":"${to}","type":"template","templateName":"order_update","language":"en_US","components":[{"type":"button","sub_type":"flow","index":"0",
          "parameters":[{"type":"action","action":{"flow_action_data":${deep(depth)}}}]}]}`,
        400,
        "components is invalid: it must not be nested deeper than 100 levels"
      ]
    ),
    ["a deep card", `{"to":"${to}","type":"contact","contacts":[{"name":${deep(5_000)}}]}`, 400, "contacts"],
    ["a deep body", deep(50_000), 400, ""]
  ]
}

const judge = async (messaging: Messaging, rows: ReadonlyArray<Row>) => {
  const problems: Array<string> = []
  for (const [what, body, expected, names] of rows) {
    const { status, body: answer } = await messaging.raw("POST", "/api/messaging-api/send", body)
    const { error } = answer
    const shaped = Object.keys(answer).length === 1 && typeof error === "string" && /^\S.{8,600}[.]$/s.test(error)
    if (status !== expected || !shaped || !String(error).includes(names))
      problems.push(`${what}: gave ${status} ${JSON.stringify(answer).slice(0, 300)}`)
  }
  return problems
}

describe("bad input of send", () => {
  it.live(
    "is answered with its status and a sentence that names the field, and changes nothing",
    () =>
      Effect.flatMap(startMessaging, (messaging) =>
        Effect.promise(async () => {
          const { conversationId } = await messaging.conversation("+14155550101", "Hello")
          const { body } = await messaging.call("GET", `/chats/${conversationId}`)
          const [{ id }] = body.messages as ReadonlyArray<{ id: string }>
          const before = await contents(messaging)
          const rows = table(id)
          assert.isAtLeast(rows.length, 500)
          assert.deepStrictEqual(await judge(messaging, rows), [])
          assert.strictEqual(await contents(messaging), before)
          assert.strictEqual((await messaging.call("GET", "/contacts")).body.total, 1)
        })
      ),
    240_000
  )

  it.live("is refused when it is nested too deep, wherever free content may be sent", () =>
    Effect.flatMap(startMessaging, ({ raw, run, keyOf, organizationId }) =>
      Effect.promise(async () => {
        const { secret } = await run(keyOf(organizationId, ["admin", "messages:send", "voice:write"]))
        const broadcast = `{"name":"x","templateName":"offer","language":"en_US","audience":{"all":true},"components":[{"type":"body",
          "parameters":[{"type":"text","text":"x","more":${deep(3_000)}}]}]}`
        const agent = `{"name":"x","tools":[{"name":"look_up","parameters":${deep(3_000)}}]}`
        for (const [path, body, field] of [
          ["/api/messaging-api/broadcasts", broadcast, "components"],
          ["/api/voice-agents", agent, "tools"]
        ] as const) {
          const { status, body: answer } = await raw("POST", path, body, secret)
          assert.strictEqual(status, 400)
          assert.strictEqual(answer.error, `${field} is invalid: it must not be nested deeper than 100 levels.`)
        }
      })
    )
  )

  it.live("is not what merely looks dangerous, which is kept as it was written", () =>
    Effect.flatMap(startMessaging, ({ call }) =>
      Effect.promise(async () => {
        const text = `'); DROP TABLE messages; -- <script>alert(1)</script> %_\\ {{1}} \${x} ${"🙂".repeat(3)}\n\ttabbed`
        const { body } = await call("POST", "/send", { to, type: "text", text })
        const { body: chat } = await call("GET", `/chats/${body.conversationId}`)
        const [message] = chat.messages as ReadonlyArray<{ content: { text: string } }>
        assert.strictEqual(message.content.text, text)
      })
    )
  )
})
