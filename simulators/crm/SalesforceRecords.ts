/** What an organization of the simulated Salesforce holds, its queries (SOQL), its search (SOSL) that lags, and its rules against duplicates. */

export type SalesforceValue = string | number | boolean | null

export interface SalesforceRecord {
  readonly id: string
  fields: Record<string, SalesforceValue>
  modified: number
  /** The search finds it from this time on. */
  foundAt: number
}

export interface SalesforceField {
  readonly type: "id" | "string" | "phone" | "email" | "boolean" | "double" | "date" | "textarea" | "multipicklist"
  readonly writable: boolean
  readonly externalId?: boolean
  /** Cannot be compared in a query. */
  readonly opaque?: boolean
}

type Schema = Readonly<Record<string, SalesforceField>>
const text: SalesforceField = { type: "string", writable: true }
const system: SalesforceField = { type: "string", writable: false }

export const salesforceObjects: Readonly<Record<string, { readonly prefix: string; readonly fields: Schema }>> = {
  Contact: {
    prefix: "003",
    fields: {
      ...{ Id: { type: "id", writable: false }, FirstName: text, LastName: text, CreatedDate: system },
      ...{
        LastModifiedDate: system,
        SystemModstamp: system,
        Name: system,
        Description: { type: "textarea", writable: true, opaque: true }
      },
      ...{ Email: { type: "email", writable: true }, Phone: { type: "phone", writable: true } },
      ...{ MobilePhone: { type: "phone", writable: true }, HasOptedOutOfEmail: { type: "boolean", writable: true } },
      ...{ Opted_In__c: { type: "boolean", writable: true }, Tags__c: { type: "multipicklist", writable: true } },
      Parley_Id__c: { type: "string", writable: true, externalId: true }
    }
  },
  Task: {
    prefix: "00T",
    fields: {
      ...{ Id: { type: "id", writable: false }, WhoId: text, Subject: text, Status: text, TaskSubtype: text },
      ...{ ActivityDate: { type: "date", writable: true }, CallDurationInSeconds: { type: "double", writable: true } },
      ...{ Description: { type: "textarea", writable: true, opaque: true }, CreatedDate: system }
    }
  },
  Opportunity: {
    prefix: "006",
    fields: {
      ...{
        Id: { type: "id", writable: false },
        Name: text,
        StageName: text,
        Amount: { type: "double", writable: true }
      },
      ...{ CloseDate: { type: "date", writable: true }, LastModifiedDate: system, CreatedDate: system }
    }
  },
  OpportunityContactRole: {
    prefix: "00K",
    fields: { Id: { type: "id", writable: false }, OpportunityId: text, ContactId: text, LastModifiedDate: system }
  },
  Organization: { prefix: "00D", fields: { Id: { type: "id", writable: false }, Name: system } }
}

/** A refusal: status, code and message, with the fields or the duplicates that it names. */
export class SalesforceRefusal extends Error {
  readonly status: number
  readonly body: unknown
  constructor(status: number, errorCode: string, message: string, more: object = {}) {
    super(message)
    this.status = status
    this.body = [{ message, errorCode, fields: [], ...more }]
  }
}

/** Times are exact to a second. */
const stampOf = ({ modified }: SalesforceRecord) => Math.floor(modified / 1_000) * 1_000

const shownValue = (record: SalesforceRecord, name: string): SalesforceValue =>
  name === "Id"
    ? record.id
    : name === "SystemModstamp"
      ? new Date(stampOf(record)).toISOString().replace(/Z$/, "+0000")
      : (record.fields[name] ?? null)

/** Conditions on the place of a record: `SystemModstamp >= T`, `SystemModstamp > T OR (SystemModstamp = T AND Id > '…')`. */
const afterForm =
  /^SystemModstamp (>=?) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)(?: OR \(SystemModstamp = (\S+) AND Id > '(\w+)'\))?$/

const isAfter = (record: SalesforceRecord, [, sign, time, same, id]: ReadonlyArray<string | undefined>) => {
  const [stamp, from] = [stampOf(record), Date.parse(time ?? "")]
  if (stamp > from || (sign === ">=" && stamp === from)) return true
  return same !== undefined && stamp === Date.parse(same) && record.id > (id ?? "")
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const accepts = ({ type }: SalesforceField, value: unknown): value is SalesforceValue => {
  if (value === null) return type !== "boolean"
  if (type === "boolean") return typeof value === "boolean"
  if (type === "double") return typeof value === "number"
  return typeof value === "string" && (type !== "date" || /^\d{4}-\d\d-\d\d$/.test(value))
}

export class SalesforceRecords {
  readonly records = new Map<string, SalesforceRecord>()
  /** How long the search lags behind, in milliseconds. */
  lagMs = 0
  /** A rule: contacts with the same address are duplicates. `warn` lets them be saved on request. */
  duplicateRule: "none" | "warn" | "block" = "none"
  /** The next changes of a record find it locked. */
  locked = 0
  #next = 1

  constructor() {
    this.add("Organization", { Name: "Maple Books" })
  }

  /** All records of an object. */
  all(object: string): ReadonlyArray<SalesforceRecord> {
    return [...this.records.values()].filter(({ id }) => id.startsWith(salesforceObjects[object]?.prefix ?? "none"))
  }

  /** Puts a record there, as somebody else would. */
  add(object: string, fields: Record<string, SalesforceValue>): SalesforceRecord {
    const id = `${salesforceObjects[object].prefix}${String(this.#next++).padStart(12, "0")}AAA`
    const now = Date.now()
    const record = { id, fields, modified: now, foundAt: now + this.lagMs }
    this.records.set(id, record)
    return record
  }

  schema(object: string) {
    const found = salesforceObjects[object]
    if (found === undefined) throw new SalesforceRefusal(404, "NOT_FOUND", "The requested resource does not exist")
    return found.fields
  }

  get(object: string, id: string): SalesforceRecord {
    const found = this.records.get(id)
    this.schema(object)
    if (found === undefined || !id.startsWith(salesforceObjects[object].prefix))
      throw new SalesforceRefusal(404, "NOT_FOUND", "Provided external ID field does not exist or is not accessible")
    return found
  }

  /** The records whose external id has this value. */
  external(object: string, field: string, value: string): ReadonlyArray<SalesforceRecord> {
    if (this.schema(object)[field]?.externalId !== true)
      throw new SalesforceRefusal(404, "NOT_FOUND", `Provided external ID field does not exist: ${field}`)
    return this.all(object).filter(({ fields }) => fields[field] === value)
  }

  #checked(object: string, body: unknown): Record<string, SalesforceValue> {
    if (!isObject(body)) throw new SalesforceRefusal(400, "JSON_PARSER_ERROR", "Unexpected content")
    const schema = this.schema(object)
    const fields: Record<string, SalesforceValue> = {}
    for (const [name, value] of Object.entries(body)) {
      const field = schema[name]
      if (field === undefined)
        throw new SalesforceRefusal(400, "INVALID_FIELD", `No such column '${name}' on sobject of type ${object}`)
      if (!field.writable)
        throw new SalesforceRefusal(400, "INVALID_FIELD_FOR_INSERT_UPDATE", `Unable to create/update fields: ${name}`, {
          fields: [name]
        })
      if (!accepts(field, value))
        throw new SalesforceRefusal(400, "JSON_PARSER_ERROR", `Cannot deserialize instance of ${field.type}: ${name}`)
      fields[name] = value
    }
    return fields
  }

  #rule(fields: Record<string, SalesforceValue>, own: string | undefined, mayWarn: boolean) {
    const email = typeof fields.Email === "string" ? fields.Email.toLowerCase() : undefined
    if (this.duplicateRule === "none" || email === undefined) return
    const same = this.all("Contact").filter(
      ({ id, fields: { Email } }) => id !== own && String(Email).toLowerCase() === email
    )
    if (same.length === 0 || (mayWarn && this.duplicateRule === "warn")) return
    const matchRecords = same.map(({ id: Id }) => ({
      ...{ additionalInformation: [], fieldDiffs: [], matchConfidence: 100 },
      record: { attributes: { type: "Contact", url: `/services/data/v62.0/sobjects/Contact/${Id}` }, Id }
    }))
    const matchResult = {
      entityType: "Contact",
      errors: [],
      matchEngine: "ExactMatchEngine",
      matchRecords,
      success: true
    }
    throw new SalesforceRefusal(400, "DUPLICATES_DETECTED", "Use one of these records?", {
      duplicateResult: {
        ...{ allowSave: this.duplicateRule === "warn", duplicateRule: "Same_Address" },
        ...{
          duplicateRuleEntityType: "Contact",
          errorMessage: "Use one of these records?",
          matchResults: [matchResult]
        }
      }
    })
  }

  create(object: string, body: unknown, allowSave: boolean): SalesforceRecord {
    const fields = this.#checked(object, body)
    if (object === "Contact") {
      if (typeof fields.LastName !== "string" || fields.LastName === "")
        throw new SalesforceRefusal(400, "REQUIRED_FIELD_MISSING", "Required fields are missing: [LastName]", {
          fields: ["LastName"]
        })
      this.#rule(fields, undefined, allowSave)
      this.#unique(fields, undefined)
    }
    if (object === "Task" && typeof fields.WhoId === "string") this.get("Contact", fields.WhoId)
    return this.add(object, fields)
  }

  #unique(fields: Record<string, SalesforceValue>, own: string | undefined) {
    const value = fields.Parley_Id__c
    const holder = this.all("Contact").find(
      (one) => one.id !== own && value != null && one.fields.Parley_Id__c === value
    )
    if (holder !== undefined)
      throw new SalesforceRefusal(
        400,
        "DUPLICATE_VALUE",
        `duplicate value found: Parley_Id__c duplicates value on record with id: ${holder.id}`
      )
  }

  change(object: string, id: string, body: unknown, allowSave: boolean): void {
    const record = this.get(object, id)
    const fields = this.#checked(object, body)
    if ("TaskSubtype" in fields)
      throw new SalesforceRefusal(400, "INVALID_FIELD_FOR_INSERT_UPDATE", "Unable to create/update fields: TaskSubtype")
    if (this.locked > 0) {
      this.locked--
      throw new SalesforceRefusal(400, "UNABLE_TO_LOCK_ROW", "unable to obtain exclusive access to this record")
    }
    if (object === "Contact") this.#rule(fields, id, allowSave)
    Object.assign(record.fields, fields)
    record.modified = Date.now()
  }

  shown(object: string, record: SalesforceRecord, names: ReadonlyArray<string>) {
    const schema = this.schema(object)
    const values = names.map((name) => {
      if (schema[name] === undefined)
        throw new SalesforceRefusal(400, "INVALID_FIELD", `No such column '${name}' on entity '${object}'`)
      return [name, shownValue(record, name)] as const
    })
    const { id } = record
    const attributes = { type: object, url: `/services/data/v62.0/sobjects/${object}/${id}` }
    return { attributes, ...Object.fromEntries(values) }
  }

  /** `SELECT … FROM … [WHERE a = '…' [OR b IN ('…', '…')]] [ORDER BY … DESC] [LIMIT n]`, or by the time of the last change and id. */
  query(soql: string) {
    const parts =
      /^SELECT ([\w, ]+) FROM (\w+)(?: WHERE (.+?))?(?: ORDER BY (\w+(?:, \w+)*)(?: DESC)?)?(?: LIMIT (\d+))?$/.exec(
        soql
      )
    const malformed = (why: string) => new SalesforceRefusal(400, "MALFORMED_QUERY", why)
    if (parts === null) throw malformed(`unexpected token: ${soql.slice(0, 80)}`)
    const [, list, object, where, order, limit = "2000"] = parts
    const schema = this.schema(object)
    const literal = /'((?:[^'\\]|\\.)*)'/g
    const compares = (record: SalesforceRecord, part: string) => {
      const [, name, values] = /^(\w+) (?:= |IN \()('.*')\)?$/.exec(part) ?? []
      if (name === undefined || schema[name] === undefined) throw malformed(`unexpected token: ${part.slice(0, 80)}`)
      if (schema[name].opaque) throw new SalesforceRefusal(400, "INVALID_FIELD", `field '${name}' can not be filtered`)
      const wanted = [...values.matchAll(literal)].map(([, raw]) => raw.replace(/\\(.)/g, "$1").toLowerCase())
      return wanted.includes(String(record.fields[name] ?? "").toLowerCase())
    }
    const after = afterForm.exec(where ?? "")
    const matches = (record: SalesforceRecord) => {
      if (where === undefined) return true
      return after === null ? where.split(" OR ").some((part) => compares(record, part)) : isAfter(record, after)
    }
    const inOrder = (a: SalesforceRecord, b: SalesforceRecord) =>
      order === "SystemModstamp, Id" ? stampOf(a) - stampOf(b) || (a.id < b.id ? -1 : 1) : b.modified - a.modified
    const found = this.all(object).filter(matches).sort(inOrder).slice(0, Number(limit))
    const names = list.split(",").map((name) => name.trim())
    return { totalSize: found.length, done: true, records: found.map((record) => this.shown(object, record, names)) }
  }

  /** Finds numbers by their digits, in any notation. */
  search(q: string, names: ReadonlyArray<string>) {
    const digits = q.replace(/\D/g, "")
    const found = this.all("Contact").filter(
      ({ fields: { Phone, MobilePhone }, foundAt }) =>
        foundAt <= Date.now() &&
        [Phone, MobilePhone].some((one) =>
          String(one ?? "")
            .replace(/\D/g, "")
            .endsWith(digits)
        )
    )
    return { searchRecords: found.map((record) => this.shown("Contact", record, names)) }
  }
}
