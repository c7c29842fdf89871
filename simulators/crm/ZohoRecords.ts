/** What an organization of the simulated Zoho CRM holds. Addresses of contacts are unique, and the search lags. */

export interface ZohoRecord {
  readonly id: string
  fields: Record<string, unknown>
  /** The search finds it from this time on. */
  foundAt: number
}

interface ZohoField {
  readonly type: "tags" | "text" | "phone" | "email" | "boolean" | "textarea" | "datetime" | "double" | "lookup"
  readonly readOnly?: boolean
}

const text: ZohoField = { type: "text" }

export const zohoModules: Readonly<Record<string, Readonly<Record<string, ZohoField>>>> = {
  Contacts: {
    ...{ First_Name: text, Last_Name: text, Full_Name: { type: "text", readOnly: true }, Email: { type: "email" } },
    ...{ Mobile: { type: "phone" }, Phone: { type: "phone" }, Other_Phone: { type: "phone" } },
    ...{
      Parley_Id: text,
      Parley_Tags: text,
      Opted_In: { type: "boolean" },
      Created_Time: { type: "datetime", readOnly: true },
      Modified_Time: { type: "datetime", readOnly: true },
      // Changed by actions only.
      Tag: { type: "tags", readOnly: true }
    }
  },
  Notes: { Note_Title: text, Note_Content: { type: "textarea" } },
  Calls: {
    ...{ Subject: text, Description: { type: "textarea" }, Call_Type: text, Call_Start_Time: { type: "datetime" } },
    ...{ Call_Duration: text, Who_Id: { type: "lookup" } }
  },
  Deals: {
    Deal_Name: text,
    Stage: text,
    Amount: { type: "double" },
    Closing_Date: text,
    Contact_Name: { type: "lookup" }
  }
}

/** A refusal of a whole request. */
export class ZohoRefusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export interface ZohoResult {
  readonly status: number
  readonly body: unknown
}

/** A tag has at most so many characters, a record so many tags. */
const longestTag = 25
const mostTags = 10

/** Zoho's times have no milliseconds. */
const time = () => new Date().toISOString().replace(/\.\d+Z$/, "+00:00")

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const accepts = ({ type }: ZohoField, value: unknown) => {
  if (value === null) return true
  if (type === "boolean") return typeof value === "boolean"
  if (type === "double") return typeof value === "number"
  if (type === "lookup") return isObject(value) && typeof value.id === "string"
  if (type === "datetime") return typeof value === "string" && /T\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(value)
  return typeof value === "string"
}

const failed = (code: string, message: string, details: object = {}, status = 400): ZohoResult => ({
  ...{ status, body: { data: [{ code, details, message, status: "error" }] } }
})

export class ZohoRecords {
  readonly records = new Map<string, ZohoRecord & { readonly module: string }>()
  /** How long the search lags behind, in milliseconds. */
  lagMs = 0
  #next = 1

  all(module: string) {
    return [...this.records.values()].filter((one) => one.module === module)
  }

  /** Puts a record there, as somebody else would. */
  add(module: string, fields: Record<string, unknown>) {
    const id = `5545974000000${String(this.#next++).padStart(6, "0")}`
    const record = { id, module, fields: { ...fields, Modified_Time: time() }, foundAt: Date.now() + this.lagMs }
    this.records.set(id, record)
    return record
  }

  #fields(module: string) {
    const found = zohoModules[module]
    if (found === undefined) throw new ZohoRefusal(400, "INVALID_MODULE", "the module name given seems to be invalid")
    return found
  }

  #record(body: unknown, more: ReadonlyArray<string>): Record<string, unknown> {
    if (!isObject(body) || Object.keys(body).some((name) => !["data", "trigger", ...more].includes(name)))
      throw new ZohoRefusal(400, "INVALID_DATA", "invalid body")
    const [record] = Array.isArray(body.data) ? body.data : []
    if (!isObject(record)) throw new ZohoRefusal(400, "MANDATORY_NOT_FOUND", "data")
    return record
  }

  #wrong(module: string, record: Record<string, unknown>): ZohoResult | undefined {
    for (const [api_name, value] of Object.entries(record)) {
      const field = this.#fields(module)[api_name]
      // Zoho ignores fields that it does not have.
      if (field === undefined) continue
      if (field.readOnly) return failed("NOT_ALLOWED", "the field is read only", { api_name })
      if (!accepts(field, value))
        return failed("INVALID_DATA", `invalid data`, { api_name, expected_data_type: field.type })
    }
    return undefined
  }

  #kept(module: string, record: Record<string, unknown>) {
    return Object.fromEntries(Object.entries(record).filter(([name]) => this.#fields(module)[name] !== undefined))
  }

  #twin(email: unknown, own?: string) {
    if (typeof email !== "string") return undefined
    return this.all("Contacts").find(
      ({ id, fields }) => id !== own && String(fields.Email).toLowerCase() === email.toLowerCase()
    )
  }

  #saved(id: string, action: "insert" | "update", status: number): ZohoResult {
    const at = new Date().toISOString().replace(/\.\d+Z$/, "+00:00")
    const details = { id, Modified_Time: at, Created_Time: at, Modified_By: {}, Created_By: {} }
    const done = { code: "SUCCESS", details, message: `record ${action === "insert" ? "added" : "updated"}` }
    return { status, body: { data: [{ ...done, action, duplicate_field: null, status: "success" }] } }
  }

  create(module: string, body: unknown, more: Record<string, unknown> = {}): ZohoResult {
    const record = this.#record(body, [])
    const required = { Contacts: "Last_Name", Calls: "Call_Start_Time", Notes: "Note_Content" }[module]
    if (required !== undefined && (record[required] ?? "") === "")
      return failed("MANDATORY_NOT_FOUND", "required field not found", { api_name: required })
    const wrong = this.#wrong(module, record)
    if (wrong !== undefined) return wrong
    const twin = module === "Contacts" ? this.#twin(record.Email) : undefined
    if (twin !== undefined)
      return failed("DUPLICATE_DATA", "duplicate data", {
        api_name: "Email",
        id: twin.id,
        json_path: "$.data[0].Email"
      })
    return this.#saved(this.add(module, { ...this.#kept(module, record), ...more }).id, "insert", 201)
  }

  upsert(body: unknown): ZohoResult {
    const record = this.#record(body, ["duplicate_check_fields"])
    const checked = isObject(body) && Array.isArray(body.duplicate_check_fields) ? body.duplicate_check_fields : []
    const twin = checked.includes("Email") ? this.#twin(record.Email) : undefined
    const plain = { data: [record] }
    return twin === undefined ? this.create("Contacts", plain) : this.change("Contacts", twin.id, plain)
  }

  change(module: string, id: string, body: unknown): ZohoResult {
    const record = this.#record(body, [])
    const found = this.records.get(id)
    if (found?.module !== module) return failed("INVALID_DATA", "the id given seems to be invalid", { id })
    const wrong = this.#wrong(module, record)
    if (wrong !== undefined) return wrong
    if ((record.Last_Name ?? "x") === "") return failed("INVALID_DATA", "invalid data", { api_name: "Last_Name" })
    const twin = module === "Contacts" ? this.#twin(record.Email, id) : undefined
    if (twin !== undefined) return failed("DUPLICATE_DATA", "duplicate data", { api_name: "Email", id: twin.id })
    Object.assign(found.fields, this.#kept(module, record), { Modified_Time: time() })
    return this.#saved(id, "update", 200)
  }

  /** Adds tags to a contact, or removes them, as our requests and people do. */
  tag(action: string, id: string, body: unknown): ZohoResult {
    const found = this.records.get(id)
    if (found?.module !== "Contacts") return failed("INVALID_DATA", "the id given seems to be invalid", { id })
    if (!isObject(body) || Object.keys(body).some((name) => !["tags", "over_write"].includes(name)))
      throw new ZohoRefusal(400, "INVALID_DATA", "invalid body")
    const names = (Array.isArray(body.tags) ? body.tags : []).map((tag: unknown) =>
      isObject(tag) ? tag.name : undefined
    )
    if (names.length === 0 || names.some((name) => typeof name !== "string" || name === "" || name.length > longestTag))
      return failed("INVALID_DATA", "invalid data", { api_name: "name", maximum_length: longestTag })
    const before = Array.isArray(found.fields.Tag) ? found.fields.Tag : []
    const others = before.filter(({ name }: { readonly name: string }) => !names.includes(name))
    const tags =
      action === "add_tags"
        ? [...others, ...names.map((name) => ({ name, id: `tag-${name}`, color_code: null }))]
        : others
    if (tags.length > mostTags) return failed("LIMIT_EXCEEDED", "record limit exceeds", { limit: mostTags })
    Object.assign(found.fields, { Tag: tags, Modified_Time: time() })
    const done = {
      code: "SUCCESS",
      details: { id, tags: tags.map(({ name }) => name) },
      message: "tags updated successfully"
    }
    return { status: 200, body: { data: [{ ...done, status: "success" }] } }
  }

  /** The records of a module that changed since a time, a page at a time. */
  changed(module: string, query: URLSearchParams, since: string | undefined): ZohoResult {
    const from = since === undefined ? 0 : Date.parse(since)
    if (Number.isNaN(from)) throw new ZohoRefusal(400, "INVALID_DATA", "If-Modified-Since")
    const size = Number(query.get("per_page") ?? 200)
    if (!(size >= 1 && size <= 200)) throw new ZohoRefusal(400, "INVALID_DATA", "per_page")
    const at = Number((query.get("page_token") ?? "token-0").slice("token-".length))
    const all = this.all(module).filter(({ fields }) => Date.parse(String(fields.Modified_Time)) >= from)
    const part = all.slice(at, at + size)
    if (part.length === 0)
      return since === undefined ? { status: 204, body: undefined } : { status: 304, body: undefined }
    const more = all.length > at + size
    const { body } = this.list(part, (query.get("fields") ?? "").split(",").filter(Boolean))
    const info = {
      per_page: size,
      count: part.length,
      more_records: more,
      next_page_token: more ? `token-${at + size}` : null
    }
    return { status: 200, body: { ...(body as object), info } }
  }

  /** The records that a search or a related list gives; 204 when there are none. */
  list(found: ReadonlyArray<ZohoRecord>, names: ReadonlyArray<string>): ZohoResult {
    if (names.length === 0) throw new ZohoRefusal(400, "REQUIRED_PARAM_MISSING", "fields")
    const data = found.map(({ id, fields }) => ({
      ...Object.fromEntries(names.map((name) => [name, fields[name] ?? null])),
      id
    }))
    if (data.length === 0) return { status: 204, body: undefined }
    return { status: 200, body: { data, info: { per_page: 20, count: data.length, page: 1, more_records: false } } }
  }

  search(query: URLSearchParams): ZohoResult {
    const criteria = /^\((\w+):equals:(.*)\)$/.exec((query.get("criteria") ?? "").replace(/\\(.)/g, "$1"))
    const [phone, email] = [query.get("phone"), query.get("email")]
    const matches = ({ fields }: ZohoRecord) => {
      if (criteria !== null) {
        if (this.#fields("Contacts")[criteria[1]] === undefined)
          throw new ZohoRefusal(400, "INVALID_QUERY", "Invalid query formed")
        return fields[criteria[1]] === criteria[2]
      }
      if (email !== null) return String(fields.Email ?? "").toLowerCase() === email.toLowerCase()
      if (phone === null) throw new ZohoRefusal(400, "INVALID_QUERY", "Invalid query formed")
      const digits = phone.replace(/\D/g, "")
      // The text as it is, or the digits of a number that has a notation.
      return [fields.Mobile, fields.Phone, fields.Other_Phone].some(
        (one) => typeof one === "string" && (one === phone || one.replace(/\D/g, "") === digits)
      )
    }
    const found = this.all("Contacts").filter((one) => one.foundAt <= Date.now() && matches(one))
    return this.list(found, (query.get("fields") ?? "").split(",").filter(Boolean))
  }
}
