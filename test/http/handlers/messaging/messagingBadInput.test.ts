/** Invalid input on every route and field of the messaging interface: the right status, one sentence, and no change. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { contents, root, startMessaging } from "../../../support/messaging.ts"

const long = (length: number) => "x".repeat(length)
const phone = "+14155550199"

type Bad = readonly [what: string, method: string, path: string, body?: unknown, status?: number]

const wrongPhones = [
  "",
  "   ",
  "12345",
  "0415 555 0123",
  "+1",
  "+999123",
  "anonymous",
  "+1415555012312345",
  long(41),
  14155550123,
  null,
  {},
  [],
  true
]
const wrongNames = ["", "  ", long(201), "a\u0000b", "a\nb", "a\u001bb", "\ud800", 7, [], {}]
const wrongEmails = ["", "asha", "a@b", "a b@c.de", `${long(250)}@c.de`, "a@b.c\u0000", 7, {}]
const wrongTags = [
  "vip",
  [""],
  [" "],
  [long(65)],
  ["a\u0007"],
  [1],
  [null],
  {},
  Array.from({ length: 51 }, (_, i) => `t${i}`),
  null
]
const wrongOptIns = ["true", 1, null, {}]

const wrongFields: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> = [
  ["phone", wrongPhones],
  ["name", wrongNames],
  ["email", wrongEmails],
  ["tags", wrongTags],
  ["optedIn", wrongOptIns]
]

const wrongPages = [
  "page=0",
  "page=-1",
  "page=1.5",
  "page=9e99",
  "page=x",
  "page=",
  "page=1&page=2",
  "page=NaN",
  "page=Infinity"
]
const wrongLimits = ["limit=0", "limit=-1", "limit=101", "limit=1.5", "limit=9e99", "limit=x", "limit="]
const wrongCursors = [
  "cursor=",
  "cursor=x",
  "cursor=%00",
  `cursor=${long(201)}`,
  `cursor=${Buffer.from("1.a'--").toString("base64url")}`
]
const bothParts = `page=1&cursor=${Buffer.from("1.cnt_1").toString("base64url")}`

const queries = (path: string, more: ReadonlyArray<string> = []): ReadonlyArray<Bad> =>
  [...wrongPages, ...wrongLimits, ...wrongCursors, bothParts, ...more].map((query) => [
    query.slice(0, 40),
    "GET",
    `${path}?${query}`
  ])

const bodies = (method: string, path: string): ReadonlyArray<Bad> => [
  ["no JSON", method, path, "{"],
  ["nothing", method, path, ""],
  ["an array", method, path, []],
  ["a string", method, path, '"x"'],
  ["null", method, path, "null"]
]

const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`

/** `contact` and `chat` are ids of this organization, `foreign…` of another. */
const table = (ids: { contact: string; chat: string }): ReadonlyArray<Bad> => [
  ...queries("/contacts", [
    `search=${long(201)}`,
    "search=%00",
    "search=a%0Ab",
    "search=a&search=b",
    "tag=",
    `tag=${long(65)}`,
    "tag=%00",
    "archived=yes",
    "archived="
  ]),
  ...queries("/chats", ["status=open", "status=", "status=CLOSED", "status=OPEN&status=RESOLVED"]),
  ...queries("/messages"),
  ...wrongLimits.map((query): Bad => [query, "GET", `/chats/${ids.chat}?${query}`]),
  ...bodies("POST", "/contacts"),
  ...bodies("PATCH", `/contacts/${ids.contact}`),
  ...bodies("PATCH", `/chats/${ids.chat}`),
  ["no phone", "POST", "/contacts", { name: "Asha" }],
  ["upsert=maybe", "POST", "/contacts?upsert=maybe", { phone }],
  ...wrongFields.flatMap(([field, values]) =>
    values.flatMap((value): ReadonlyArray<Bad> => {
      const what = `${field} ${JSON.stringify(value).slice(0, 40)}`
      return [
        [`new ${what}`, "POST", "/contacts", { phone, [field]: value }],
        [`upsert ${what}`, "POST", "/contacts?upsert=true", { phone, [field]: value }],
        [`changed ${what}`, "PATCH", `/contacts/${ids.contact}`, { [field]: value }]
      ]
    })
  ),
  ...(["open", "", 1, null, [], "CLOSED"] as const).map(
    (status): Bad => [`status ${status}`, "PATCH", `/chats/${ids.chat}`, { status }]
  ),
  ...(["usr\u0000", long(201), 7, [], {}] as const).map(
    (assignee): Bad => [`assignee ${String(assignee).slice(0, 20)}`, "PATCH", `/chats/${ids.chat}`, { assignee }]
  ),
  ...(["true", 1, null] as const).map((read): Bad => [`read ${read}`, "PATCH", `/chats/${ids.chat}`, { read }]),
  ["no change", "PATCH", `/chats/${ids.chat}`, {}],
  ["assigned to nobody", "PATCH", `/chats/${ids.chat}`, { status: "ASSIGNED" }],
  ["open and assigned", "PATCH", `/chats/${ids.chat}`, { status: "OPEN", assignee: "usr_1" }],
  ["assigned to a stranger", "PATCH", `/chats/${ids.chat}`, { assignee: "usr_1" }, 404],
  ["assigned to SQL", "PATCH", `/chats/${ids.chat}`, { assignee: "'; DROP TABLE users; --" }, 404],
  ...["GET", "PATCH", "DELETE"].flatMap((method): ReadonlyArray<Bad> => {
    const body = method === "PATCH" ? { name: "x" } : undefined
    return [
      [`${method} of nobody`, method, "/contacts/cnt_1", body, 404],
      [`${method} of SQL`, method, `/contacts/${encodeURIComponent("x' OR '1'='1")}`, body, 404],
      [`${method} of NUL`, method, "/contacts/%00", body],
      [`${method} of a long id`, method, `/contacts/${long(201)}`, body, 404]
    ]
  }),
  ...["archive", "restore"].flatMap(
    (verb): ReadonlyArray<Bad> => [
      [`${verb} nobody`, "POST", `/contacts/cnt_1/${verb}`, undefined, 404],
      [`${verb} NUL`, "POST", `/contacts/%00/${verb}`]
    ]
  ),
  ["no such chat", "GET", "/chats/cnv_1", undefined, 404],
  ["a chat of NUL", "GET", "/chats/%00"],
  ["a change of no such chat", "PATCH", "/chats/cnv_1", { read: true }, 404],
  ["10 MB of name", "POST", "/contacts", { phone, name: long(10_000_000) }],
  ["10 MB of tags", "POST", "/contacts", { phone, tags: Array.from({ length: 2_000_000 }, () => "tag") }],
  ["18 MB", "POST", "/contacts", { phone, name: long(18_000_000) }],
  ["deep JSON", "POST", "/contacts", deep(100_000)],
  ["a deep name", "POST", "/contacts", `{"phone":"${phone}","name":${deep(100_000)}}`],
  ["a deep phone", "POST", "/contacts", `{"phone":${`{"a":`.repeat(5_000)}1${"}".repeat(5_000)}}`],
  ["a method that is none", "PUT", `/contacts/${ids.contact}`, { name: "x" }, 405]
]

describe("bad input", () => {
  it.live(
    "is answered with its status and one sentence, and changes nothing",
    () =>
      Effect.flatMap(startMessaging, (messaging) =>
        Effect.promise(async () => {
          const { conversationId: chat, contactId: contact } = await messaging.conversation("+14155550101", "Hello")
          const before = await contents(messaging)
          const rows = table({ contact, chat })
          assert.isAtLeast(rows.length, 200)
          const wrong: Array<string> = []
          for (const [what, method, path, body, expected = 400] of rows) {
            const { status, body: answer } = await messaging.raw(method, root + path, body)
            const sentence = answer.error
            const shaped =
              Object.keys(answer).length === 1 && typeof sentence === "string" && /^\S.{8,600}[.]$/s.test(sentence)
            if (status !== expected || !shaped)
              wrong.push(
                `${what}: ${method} ${path.slice(0, 80)} gave ${status} ${JSON.stringify(answer).slice(0, 300)}`
              )
          }
          assert.deepStrictEqual(wrong, [])
          assert.strictEqual(await contents(messaging), before)
        })
      ),
    240_000
  )

  it.live("is not what merely looks dangerous, which is kept as it was written", () =>
    Effect.flatMap(startMessaging, ({ call }) =>
      Effect.promise(async () => {
        const name = `Robert'); DROP TABLE contacts; -- <script>alert("x")</script> %_\\ {{name}} 🙂`
        const tags = [`' OR 1=1 --`, `<img src=x onerror=alert(1)>`, `{a,"b"}`, `\\`]
        const made = await call("POST", "/contacts", { phone, name, tags })
        assert.deepInclude(made.body, { name, tags })
        assert.deepInclude((await call("GET", `/contacts/${made.body.id}`)).body, { name, tags })
        for (const tag of tags)
          assert.strictEqual((await call("GET", `/contacts?tag=${encodeURIComponent(tag)}`)).body.total, 1, tag)
        const found = await call("GET", `/contacts?search=${encodeURIComponent(name.toUpperCase())}`)
        assert.strictEqual(found.body.total, 1)
        assert.strictEqual((await call("GET", `/contacts?search=${encodeURIComponent("' OR 1=1 --")}`)).body.total, 0)
      })
    )
  )
})
