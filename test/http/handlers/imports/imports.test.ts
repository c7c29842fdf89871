/** Imports of contacts over HTTP, on the real stores: what becomes of the rows. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAtOnce } from "../../../../src/actors/imports/ImportWorker.ts"
import { makeApplyContactRows } from "../../../../src/domain/imports/ApplyContactRows.ts"
import { mostImportAttempts } from "../../../../src/domain/imports/Import.ts"
import { ImportQueue } from "../../../../src/domain/imports/Imports.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { counts, csvOf, form, type Imports, importPath, startImports } from "../../../support/contactImports.ts"
import { comesAbout } from "../../../support/eventually.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"

// A file that comes too slowly is refused.
playsInRealTime()

const story = (name: string, tell: (imports: Imports) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(startImports, (imports) => Effect.promise(() => tell(imports))).pipe(Effect.scoped)
  )

const rowsOf = ({ run, organizationId }: Imports, query: string) =>
  run(Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(organizationId)(sql.unsafe<Record<string, unknown>>(query))))

const contactsOf = async ({ call }: Imports, query = "limit=100") => {
  const { body } = await call("GET", `/contacts?${query}`)
  return body as unknown as {
    readonly total: number
    readonly data: ReadonlyArray<Record<string, unknown> & { readonly id: string; readonly phone: string }>
  }
}

describe("an import of contacts", () => {
  story("takes the file of a spreadsheet, whatever its columns are called", async (imports) => {
    const file =
      "\uFEFFFirst Name;Last Name;Mobile No.;E-Mail Address;Shoe size;Opt-in;Labels\r\n" +
      'Asha;Rao;+1 (415) 555-0123;Asha@example.com;38;yes;"book club; poetry"\r\n' +
      ";;;;;;\r\n" +
      "Ravi;;+91 98123 45678;;;no;\r\n"
    const { status, body } = await imports.post(form(file, "Besucher März.csv", "application/vnd.ms-excel"), {
      query: "?tags=spring%20fair,%20visitor"
    })
    assert.strictEqual(status, 201, JSON.stringify(body))
    assert.deepInclude(body, {
      kind: "contacts",
      status: "running",
      fileName: "Besucher März.csv",
      tags: ["spring fair", "visitor"],
      rows: 2,
      expiresAt: null
    })
    assert.deepStrictEqual(body.columns, [
      { column: "First Name", field: "firstName" },
      { column: "Last Name", field: "lastName" },
      { column: "Mobile No.", field: "phone" },
      { column: "E-Mail Address", field: "email" },
      { column: "Shoe size", field: null },
      { column: "Opt-in", field: "optedIn" },
      { column: "Labels", field: "tags" }
    ])
    await imports.workOff()
    const done = await imports.get(String(body.id))
    assert.deepInclude(done, { status: "completed", created: 2, refused: 0 })
    assert.isNotNull(done.finishedAt)
    assert.isNotNull(done.expiresAt)
    const { data, total } = await contactsOf(imports)
    assert.strictEqual(total, 2)
    const asha = data.find(({ phone }) => phone === "+14155550123")
    assert.deepInclude(asha, {
      name: "Asha Rao",
      email: "Asha@example.com",
      optedIn: true,
      tags: ["book club", "poetry", "spring fair", "visitor"]
    })
    assert.strictEqual((await contactsOf(imports, "tag=spring%20fair")).total, 2)
    // Nothing waits any more.
    assert.isEmpty(await rowsOf(imports, "SELECT 1 FROM import_rows"))
  })

  story(
    "tells of each contact as if it had been sent alone: events, audit log, evidence of consent",
    async (imports) => {
      const { id } = await imports.imported("phone,optedIn\n+14155550123,true\n+14155550124,\n")
      const events = await rowsOf(imports, "SELECT type FROM events ORDER BY position")
      assert.sameMembers(
        events.map(({ type }) => type),
        ["contact.created", "contact.opted_in", "contact.created"]
      )
      const log = await rowsOf(
        imports,
        "SELECT action, actor_type, subject_id FROM audit_log WHERE action <> 'organization.created'"
      )
      assert.sameMembers(
        log.map(({ action, actorType }) => `${action} ${actorType}`),
        ["import.started key", "contact.created key", "contact.created key"]
      )
      assert.include(
        log.map(({ subjectId }) => subjectId),
        id
      )
      const { data } = await contactsOf(imports)
      const asha = data.find(({ phone }) => phone === "+14155550123")
      const { body } = await imports.call("GET", `/contacts/${asha?.id}/consent`)
      assert.lengthOf(body.history as ReadonlyArray<unknown>, 1)
      assert.strictEqual(body.optedIn, true)
    }
  )

  story("takes JSON, as a list and as lines", async (imports) => {
    const people = [
      { phone: "+14155550123", name: "Asha Rao", tags: ["book club", "poetry, short"], optedIn: true, age: 38 },
      { phone: "+14155550124", name: null }
    ]
    const list = await imports.post(JSON.stringify(people), { type: "application/json" })
    assert.deepInclude(list.body, { status: "running", rows: 2, fileName: null })
    const lines = await imports.post(
      `{"phone": "+14155550125", "odd\\ud800": "\\u0000"}\n\n{"phone": "+14155550127", "email": "a\\u0000@b.co"}\nnot json\n["+1"]\n{"phone": "+14155550126", "name": {"first": "Asha"}}\n{"name": "Ravi"}`,
      { type: "application/x-ndjson; charset=utf-8" }
    )
    assert.strictEqual(lines.status, 201)
    await imports.workOff()
    assert.deepInclude(counts(await imports.get(String(list.body.id))), { created: 2, refused: 0 })
    const ended = await imports.get(String(lines.body.id))
    assert.deepStrictEqual(counts(ended), { rows: 6, created: 1, updated: 0, skipped: 0, refused: 5 })
    const { body } = await imports.call("GET", `/imports/${ended.id}/refused`)
    assert.deepStrictEqual(
      (body.data as ReadonlyArray<{ row: number; problem: string }>).map(({ row, problem }) => `${row} ${problem}`),
      [
        "2 email must not contain control characters.",
        "3 The line is not JSON.",
        '4 The row must be an object with fields, like { "phone": "+14155550123" }.',
        "5 name must be a text, a number, true or false, or a list of those.",
        "6 phone is missing."
      ]
    )
    const asha = (await contactsOf(imports)).data.find(({ phone }) => phone === "+14155550123")
    assert.deepInclude(asha, { tags: ["book club", "poetry, short"], optedIn: true })
  })

  story("reports the rows that it refuses, for a spreadsheet and to be sent again", async (imports) => {
    const csv =
      "name,phone,email,optedIn,note\n" +
      "Asha,+14155550123,asha@example.com,true,\n" +
      'Ravi,98765,,,"=HYPERLINK(""http://evil.example"")"\n' +
      "Mia,+14155550124,not an address,,\n" +
      "Ben,+14155550125,,perhaps,-1+1\n" +
      "Zoe,+14155550126,,,x,too much\n" +
      `${"x".repeat(201)},+14155550127,,,\n` +
      "bell\u0007,+14155550128,,,\n"
    const ended = await imports.imported(csv)
    assert.deepStrictEqual(counts(ended), { rows: 7, created: 1, updated: 0, skipped: 0, refused: 6 })
    const { body } = await imports.call("GET", `/imports/${ended.id}/refused?limit=2&page=2`)
    assert.strictEqual(body.total, 6)
    assert.deepStrictEqual(
      (body.data as ReadonlyArray<{ row: number; field: string }>).map(({ row, field }) => [row, field]),
      [
        [5, "optedIn"],
        [6, null]
      ]
    )
    const { response, text } = await imports.report(ended.id)
    assert.strictEqual(response.headers.get("content-type"), "text/csv; charset=utf-8")
    assert.include(response.headers.get("content-disposition"), `filename="refused-${ended.id}.csv"`)
    const lines = text.split("\r\n")
    assert.strictEqual(lines[0], "\uFEFFimport row,import field,import problem,name,phone,email,optedIn,note")
    assert.strictEqual(
      lines[1],
      `3,phone,"phone must be a phone number with its country code, like +14155550123.",Ravi,98765,,,"'=HYPERLINK(""http://evil.example"")"`
    )
    assert.strictEqual(
      lines[3],
      "5,optedIn,\"optedIn must be true or false, yes or no, 1 or 0.\",Ben,'+14155550125,,perhaps,'-1+1"
    )
    // It is corrected and sent again as it is.
    const corrected = text
      .replace("98765", "'+919812345678")
      .replace("not an address", "mia@example.com")
      .replace("perhaps", "no")
    const again = await imports.imported(corrected)
    assert.deepStrictEqual(
      again.columns.map(({ column }) => column),
      ["name", "phone", "email", "optedIn", "note"]
    )
    assert.deepInclude(counts(again), { rows: 6, created: 4, refused: 2 })
    assert.include(
      (await contactsOf(imports)).data.map(({ phone }) => phone),
      "+919812345678"
    )
  })

  story("skips a number that is known, or updates its contact with what the row says", async (imports) => {
    const make = async (body: object) => (await imports.call("POST", "/contacts", body)).body as { readonly id: string }
    const asha = await make({ phone: "+14155550123", name: "Asha", tags: ["old"], optedIn: true })
    const ravi = await make({ phone: "+14155550124", name: "Ravi" })
    await imports.call("POST", `/contacts/${ravi.id}/archive`)
    const csv =
      "phone,name,email,tags,optedIn\n" +
      "+14155550123,,asha@example.com,new,\n" +
      "+14155550124,Ravi Iyer,,,\n" +
      "+14155550125,Mia,,,\n" +
      "+1 415 555 0125,Mia Chen,,,\n"
    const skipping = await imports.imported(csv)
    assert.deepStrictEqual(counts(skipping), { rows: 4, created: 1, updated: 0, skipped: 3, refused: 0 })
    assert.deepInclude((await imports.call("GET", `/contacts/${asha.id}`)).body, { email: null, tags: ["old"] })

    const foreseen = await imports.imported(csv, "?onDuplicate=update&dryRun=true")
    const updating = await imports.imported(csv, "?onDuplicate=update")
    assert.deepStrictEqual(counts(updating), { rows: 4, created: 0, updated: 3, skipped: 1, refused: 0 })
    assert.deepStrictEqual(counts(foreseen), counts(updating))
    assert.deepInclude((await imports.call("GET", `/contacts/${asha.id}`)).body, {
      name: "Asha",
      email: "asha@example.com",
      tags: ["old", "new"],
      optedIn: true
    })
    assert.deepInclude((await imports.call("GET", `/contacts/${ravi.id}`)).body, {
      name: "Ravi Iyer",
      archivedAt: null
    })
    const mia = (await contactsOf(imports)).data.find(({ phone }) => phone === "+14155550125")
    assert.strictEqual(mia?.name, "Mia Chen")

    const again = await imports.imported("phone,email,tags\n+14155550123,asha@example.com,new\n", "?onDuplicate=update")
    assert.deepInclude(counts(again), { updated: 0, skipped: 1 })
    const tags = Array.from({ length: 49 }, (_, i) => `t${i}`).join(";")
    const many = await imports.imported(`phone,tags\n+14155550123,${tags}\n`, "?onDuplicate=update")
    assert.deepInclude(counts(many), { updated: 0, refused: 1 })
    const { body } = await imports.call("GET", `/imports/${many.id}/refused`)
    assert.match((body.data as ReadonlyArray<{ problem: string }>)[0].problem, /more than 50/)
  })

  story("changes nothing in a dry run, and foresees what a real one does", async (imports) => {
    await imports.call("POST", "/contacts", { phone: "+14155550123" })
    const csv = "phone\n+14155550123\n+14155550124\n+1 415 5550124\nnobody\n"
    const foreseen = await imports.imported(csv, "?dryRun=true")
    assert.deepInclude(foreseen, { status: "completed", dryRun: true })
    assert.deepStrictEqual(counts(foreseen), { rows: 4, created: 1, updated: 0, skipped: 2, refused: 1 })
    assert.strictEqual((await contactsOf(imports)).total, 1)
    assert.lengthOf(await rowsOf(imports, "SELECT 1 FROM import_rows"), 1)
    const real = await imports.imported(csv)
    assert.deepStrictEqual(counts(real), counts(foreseen))
  })

  story("goes on where it was stopped, and does nothing twice", async (imports) => {
    const { id } = await imports.taken(csvOf(250))
    await imports.round()
    const midway = await imports.get(id)
    assert.deepInclude(midway, { status: "running", created: 100 })
    // The process ends after it has made the contacts of the next rows, and before it has said so.
    await imports.run(
      Effect.gen(function* () {
        const queue = yield* ImportQueue
        const apply = yield* makeApplyContactRows
        const dying: typeof apply = (job, rows) => Effect.andThen(apply(job, rows), Effect.die(new Error("the end")))
        const due = { organizationId: imports.organizationId, id }
        assert.isTrue(Exit.isFailure(yield* Effect.exit(queue.advance(due, rowsAtOnce, dying, Date.now()))))
      })
    )
    assert.deepInclude(await imports.get(id), { status: "running", created: 100 })
    assert.strictEqual((await contactsOf(imports)).total, 100)
    await imports.workOff()
    assert.deepInclude(await imports.get(id), { status: "completed", created: 250, skipped: 0 })
    assert.strictEqual((await contactsOf(imports)).total, 250)
    const events = await rowsOf(imports, "SELECT count(*)::int AS told FROM events WHERE type = 'contact.created'")
    assert.strictEqual(events[0].told, 250)
  })

  story("is given up with a sentence when it cannot go on after several attempts", async (imports) => {
    const { id } = await imports.taken(csvOf(3))
    for (let attempt = 0; attempt < mostImportAttempts; attempt++) {
      assert.strictEqual((await imports.get(id)).status, "running")
      const due = { organizationId: imports.organizationId, id }
      const now = Date.now()
      await imports.run(
        Effect.flatMap(ImportQueue, (queue) => queue.stumbled(due, now, "The import could not be finished.", now))
      )
    }
    const failed = await imports.get(id)
    assert.strictEqual(failed.status, "failed")
    assert.match(failed.error ?? "", /could not be finished/)
    assert.isEmpty(await rowsOf(imports, "SELECT 1 FROM import_rows"))
  })

  story("does not keep another organization waiting", async (imports) => {
    const large = await imports.taken(csvOf(1_000))
    await imports.round()
    const small = await imports.taken(csvOf(10), "", imports.otherKey)
    await imports.round()
    assert.strictEqual((await imports.get(small.id, imports.otherKey)).status, "completed")
    assert.strictEqual((await imports.get(large.id)).status, "running")
  })

  story("can be canceled: what it has made stays, and no more comes", async (imports) => {
    const { id } = await imports.taken(`${csvOf(150)}nobody,\n`)
    await imports.round()
    const cancel = (as?: string) => imports.call("POST", `/imports/${id}/cancel`, undefined, as)
    assert.strictEqual((await cancel(imports.otherKey)).status, 404)
    assert.deepInclude((await cancel()).body, { status: "canceled", created: 100 })
    assert.deepInclude((await cancel()).body, { error: "The import has ended already." })
    await imports.workOff()
    assert.strictEqual((await contactsOf(imports)).total, 100)
    // The report stays.
    const { body } = await imports.call("GET", `/imports/${id}/refused`)
    assert.strictEqual(body.total, 1)
  })

  story("is removed with its report after 7 days", async (imports) => {
    const { id, expiresAt, finishedAt } = await imports.imported("phone\nnobody\n")
    assert.strictEqual(Date.parse(expiresAt ?? "") - Date.parse(finishedAt ?? ""), 7 * 86_400_000)
    await rowsOf(imports, "UPDATE imports SET expires_at = now()")
    await imports.round()
    assert.strictEqual((await imports.call("GET", `/imports/${id}`)).status, 404)
    assert.isEmpty(await rowsOf(imports, "SELECT 1 FROM import_rows"))
  })

  story("forgets a contact that is erased while it waits or was refused", async (imports) => {
    const { body: asha } = await imports.call("POST", "/contacts", { phone: "+14155550123", email: "asha@example.com" })
    const csv =
      "phone,email,optedIn\n" +
      "+14155550123,asha@example.com,perhaps\n" +
      "98765,ASHA@example.com,\n" +
      "+1 415 555 0123,,\n" +
      "+14155550124,asha@example.com,\n"
    const { id } = await imports.taken(csv)
    assert.strictEqual((await imports.call("DELETE", `/contacts/${asha.id}`)).status, 200)
    await imports.workOff()
    const { data } = await contactsOf(imports)
    assert.deepStrictEqual(
      data.map(({ phone }) => phone),
      ["+14155550124"]
    )
    assert.deepInclude(await imports.get(id), { status: "completed", created: 1 })
    assert.isEmpty(await rowsOf(imports, "SELECT 1 FROM import_rows"))
  })

  story("is one of at most five that are not finished", async (imports) => {
    for (let i = 0; i < 5; i++) await imports.taken(csvOf(1, i))
    const sixth = await imports.post(csvOf(1, 6), { type: "text/csv" })
    assert.strictEqual(sixth.status, 409)
    assert.match(String(sixth.body.error), /5 imports of this organization are not finished/)
    await imports.workOff()
    await imports.workOff()
    await imports.taken(csvOf(1, 6))
    const { body } = await imports.call("GET", "/imports?limit=4")
    assert.strictEqual(body.total, 6)
    const rest = await imports.call("GET", `/imports?cursor=${body.nextCursor}`)
    assert.lengthOf(rest.body.data as ReadonlyArray<unknown>, 2)
  })

  story("is the same when it is sent again with its Idempotency-Key", async (imports) => {
    const headers = { "idempotency-key": "fair-2026" }
    const first = await imports.post(csvOf(2), { type: "text/csv", headers })
    const again = await imports.post(form(csvOf(2), "a.csv"), { headers })
    assert.strictEqual(again.status, 201)
    assert.strictEqual(again.body.id, first.body.id)
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    assert.strictEqual((await imports.call("GET", "/imports")).body.total, 1)
  })

  story("needs contacts:write, and is seen with contacts:read in its own organization only", async (imports) => {
    const { run, keyOf, organizationId } = imports
    const { secret: reader } = await run(keyOf(organizationId, ["contacts:read"]))
    const refused = await imports.post(csvOf(1), { type: "text/csv", as: reader })
    assert.deepInclude(refused, { status: 403 })
    const { id } = await imports.taken(csvOf(1))
    assert.strictEqual((await imports.get(id, reader)).id, id)
    for (const path of [`/imports/${id}`, `/imports/${id}/refused`, `/imports/${id}/report`])
      assert.strictEqual((await imports.call("GET", path, undefined, imports.otherKey)).status, 404, path)
    assert.strictEqual((await imports.call("POST", `/imports/${id}/cancel`, undefined, reader)).status, 403)
  })
})

describe("a file that cannot be imported", () => {
  const utf16 = (text: string, mark: ReadonlyArray<number>) =>
    Buffer.concat([Buffer.from(mark), Buffer.from(text, "utf16le")])
  const latin1 = Buffer.from("phone,name\n+14155550123,José\n", "latin1")
  const csv = "text/csv"
  const files: ReadonlyArray<
    readonly [what: string, body: string | Uint8Array, type: string, says: RegExp, query?: string]
  > = [
    ["nothing", "", csv, /The file is empty/],
    ["blank lines", "\n \r\n\n", csv, /The file is empty/],
    ["names of columns alone", "phone,name\n", csv, /no rows/],
    [
      "no column with numbers",
      "who,mail\nAsha,a@b.co\n",
      csv,
      /no column that is read as phone.*"who", "mail".*phoneColumn/
    ],
    ["two columns with numbers", "phone,mobile\n1,2\n", csv, /Two columns are read as phone: "phone" and "mobile"/],
    ["a column that is not there", "phone\n+14155550123\n", csv, /no column "Handy"/, "?phoneColumn=Handy"],
    [
      "a quotation mark that is not closed",
      'phone,name\n+14155550123,"Asha\n',
      csv,
      /Row 2 has a quotation mark that is not closed/
    ],
    [
      "a row without an end",
      `phone,name\n+14155550123,"${"x".repeat(70_000)}\n`,
      csv,
      /Row 2 is longer than 65536 characters/
    ],
    ["Latin-1", latin1, csv, /not UTF-8: it seems to be Latin-1/],
    ["UTF-16 without its mark", utf16("phone\n+14155550123\n", []), csv, /NUL characters/],
    ["half of UTF-16", utf16("phone\n+1", [0xff, 0xfe]).subarray(0, 9), csv, /not utf-16le/],
    ["another charset", csvOf(1), "text/csv; charset=koi8-r", /charset koi8-r/],
    ["a workbook", Buffer.from("PK\u0003\u0004rest", "latin1"), csv, /workbook/],
    ["compressed", Buffer.from([0x1f, 0x8b, 8, 0, 0]), csv, /compressed/],
    [
      "too many columns",
      `phone,${Array.from({ length: 100 }, (_, i) => `c${i}`)}\n+14155550123\n`,
      csv,
      /more than 100 columns/
    ],
    ["no type", new Uint8Array([1]), "", /Content-Type/],
    ["another type", "<xml/>", "application/xml", /application\/xml cannot be imported/],
    ["JSON that is no list", '{"phone": "+14155550123"}', "application/json", /must be a list/],
    ["JSON that is none", "[{]", "application/json", /not JSON: row 1/],
    ["JSON that ends early", '[{"phone": "+14155550123"}', "application/json", /not complete: it ends after row 1/],
    ["a value without an end", `[{"phone": "${"1".repeat(90_000)}`, "application/json", /Row 1 is longer/],
    ["deep JSON", `[{"phone": ${"[".repeat(90_000)}`, "application/json", /longer/],
    ["a list without rows", "[]", "application/json", /no rows/],
    ["a line without an end", `{"phone": "${"1".repeat(90_000)}`, "application/x-ndjson", /Row 1 is longer/],
    ["an unknown parameter", csvOf(1), csv, /Did you mean dryRun/, "?dryrun=true"],
    ["another word for duplicates", csvOf(1), csv, /onDuplicate is invalid/, "?onDuplicate=replace"],
    ["a tag that is too long", csvOf(1), csv, /tags is invalid/, `?tags=${"x".repeat(65)}`]
  ]

  story("is refused with a sentence that says what to do, and leaves nothing behind", async (imports) => {
    const problems: Array<string> = []
    for (const [what, body, type, says, query = ""] of files) {
      const answer = await imports.post(
        typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body),
        {
          ...(type === "" ? {} : { type }),
          query
        }
      )
      if (answer.status !== 400 || !says.test(String(answer.body.error)))
        problems.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
    }
    assert.deepStrictEqual(problems, [])
    assert.strictEqual((await imports.call("GET", "/imports")).body.total, 0)
    assert.isEmpty(await rowsOf(imports, "SELECT 1 FROM import_rows"))
  })

  story("in a form is refused alike", async (imports) => {
    const empty = new FormData()
    empty.append("other", "x")
    const sentences = [
      await imports.post(empty),
      await imports.post(form(csvOf(1), "people.docx", "application/msword")),
      await imports.post(form("", "people.csv"))
    ].map(({ status, body }) => `${status} ${body.error}`)
    assert.match(sentences[0], /^400 Send the file in a part named `file`/)
    assert.match(sentences[1], /^400 The file is neither CSV nor JSON: its name must end with/)
    assert.match(sentences[2], /^400 The file is empty/)
  })

  story("has more than 32 MB", async (imports) => {
    const line = `+14155550123,${"x".repeat(60_000)}\n`
    const large = await imports.post(`phone,name\n${line.repeat(563)}`, { type: "text/csv" })
    assert.strictEqual(large.status, 400)
    assert.match(String(large.body.error), /larger than \d+ bytes/)
    assert.isEmpty(await rowsOf(imports, "SELECT 1 FROM imports"))
  })

  story("stops coming when its sender leaves, and nothing of it stays", async (imports) => {
    const leaving = new AbortController()
    const endless = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode(csvOf(2_000)))
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })
    const sent = fetch(`${imports.world.direct}${importPath}`, {
      method: "POST",
      body: endless,
      duplex: "half",
      signal: leaving.signal,
      headers: { authorization: `Bearer ${imports.key}`, "content-type": "text/csv" }
    } as RequestInit).catch(() => "gone")
    await comesAbout(
      "rows are there",
      async () => (await rowsOf(imports, "SELECT 1 FROM import_rows LIMIT 1")).length > 0
    )
    leaving.abort()
    assert.strictEqual(await sent, "gone")
    await comesAbout("they are removed", async () => (await rowsOf(imports, "SELECT 1 FROM imports")).length === 0)
  })

  story("whose process died while it came is removed when it has been silent for long", async (imports) => {
    const { id } = await imports.taken(csvOf(2))
    await rowsOf(imports, "UPDATE imports SET status = 'receiving', due_at = NULL, expires_at = now()")
    await imports.round()
    assert.strictEqual((await imports.call("GET", `/imports/${id}`)).status, 404)
  })
})
