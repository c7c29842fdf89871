/** What an account of the simulated HubSpot holds: contacts with unique addresses, activities with associations, and a search that lags. */

export interface HubSpotRecord {
  readonly id: string
  properties: Record<string, string>
  readonly createdAt: number
  /** When it changed last. */
  changedAt: number
  /** The search finds it, as it is now, from this time on. */
  foundAt: number
}

export interface HubSpotActivity {
  readonly id: string
  readonly kind: "notes" | "calls"
  properties: Record<string, string>
  readonly contactId: string
}

const associationTypes = { notes: 202, calls: 194 } as const

/** The properties that exist, and whether they can be written. */
export const contactProperties: Readonly<Record<string, boolean>> = {
  email: true,
  phone: true,
  mobilephone: true,
  firstname: true,
  lastname: true,
  lifecyclestage: true,
  company: true,
  parley_tags: true,
  hs_object_id: false,
  createdate: false,
  lastmodifieddate: false
}
const activityProperties: Readonly<Record<HubSpotActivity["kind"], ReadonlyArray<string>>> = {
  notes: ["hs_timestamp", "hs_note_body"],
  calls: [
    "hs_timestamp",
    "hs_call_title",
    "hs_call_body",
    "hs_call_duration",
    "hs_call_status",
    "hs_call_recording_url"
  ]
}

/** A refusal: status, category and message. */
export class HubSpotRefusal extends Error {
  readonly status: number
  readonly category: string
  constructor(status: number, category: string, message: string) {
    super(message)
    this.status = status
    this.category = category
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const only = (value: Record<string, unknown>, names: ReadonlyArray<string>) => {
  const strange = Object.keys(value).find((name) => !names.includes(name))
  if (strange !== undefined)
    throw new HubSpotRefusal(400, "VALIDATION_ERROR", `Invalid input JSON: unknown field ${strange}`)
}

const textsOf = (value: unknown, known: (name: string) => boolean): Record<string, string> => {
  if (!isObject(value)) throw new HubSpotRefusal(400, "VALIDATION_ERROR", "properties must be an object")
  const texts: Record<string, string> = {}
  for (const [name, text] of Object.entries(value)) {
    if (!known(name)) throw new HubSpotRefusal(400, "VALIDATION_ERROR", `Property "${name}" does not exist`)
    if (typeof text !== "string") throw new HubSpotRefusal(400, "VALIDATION_ERROR", `${name} must be a string`)
    texts[name] = text
  }
  return texts
}

export class HubSpotRecords {
  readonly contacts = new Map<string, HubSpotRecord>()
  /** The properties of deals, by their ids. */
  readonly deals = new Map<string, Record<string, string>>()
  /** The contact of a deal, by the deal's id. */
  readonly dealContacts = new Map<string, string>()
  readonly activities = new Map<string, HubSpotActivity>()
  /** How long the search lags behind, in milliseconds. */
  lagMs = 0
  #next = 500

  #id = () => String(++this.#next)
  #written = (name: string) => contactProperties[name] === true

  #withEmail = (email: string | undefined) =>
    email === undefined
      ? undefined
      : [...this.contacts.values()].find(({ properties }) => properties.email?.toLowerCase() === email.toLowerCase())

  contact(id: string, idProperty: string | null): HubSpotRecord {
    const found = idProperty === "email" ? this.#withEmail(id) : this.contacts.get(id)
    if (found === undefined) throw new HubSpotRefusal(404, "OBJECT_NOT_FOUND", "resource not found")
    return found
  }

  create(body: unknown): HubSpotRecord {
    if (!isObject(body)) throw new HubSpotRefusal(400, "VALIDATION_ERROR", "Invalid input JSON")
    only(body, ["properties", "associations"])
    const properties = textsOf(body.properties, this.#written)
    const taken = this.#withEmail(properties.email)
    if (taken !== undefined)
      throw new HubSpotRefusal(409, "CONFLICT", `Contact already exists. Existing ID: ${taken.id}`)
    const now = Date.now()
    const record = { id: this.#id(), properties, createdAt: now, changedAt: now, foundAt: now + this.lagMs }
    this.contacts.set(record.id, record)
    return record
  }

  change(id: string, idProperty: string | null, body: unknown): HubSpotRecord {
    if (!isObject(body)) throw new HubSpotRefusal(400, "VALIDATION_ERROR", "Invalid input JSON")
    only(body, ["properties"])
    const record = this.contact(id, idProperty)
    const properties = textsOf(body.properties, this.#written)
    const taken = this.#withEmail(properties.email)
    if (taken !== undefined && taken.id !== record.id)
      throw new HubSpotRefusal(409, "CONFLICT", `Contact already exists. Existing ID: ${taken.id}`)
    Object.assign(record.properties, properties)
    record.changedAt = Date.now()
    return record
  }

  /** A page of what is found, and where the next one begins. HubSpot shows the first 10,000 only. */
  search(body: unknown): {
    readonly found: ReadonlyArray<HubSpotRecord>
    readonly total: number
    readonly next?: number
  } {
    if (!isObject(body)) throw new HubSpotRefusal(400, "VALIDATION_ERROR", "Invalid input JSON")
    only(body, ["filterGroups", "properties", "limit", "after", "sorts", "query"])
    const groups = Array.isArray(body.filterGroups) ? body.filterGroups : []
    if (groups.length > 5) throw new HubSpotRefusal(400, "VALIDATION_ERROR", "too many filterGroups: the maximum is 5")
    const valueOf = ({ properties, changedAt }: HubSpotRecord, name: string) =>
      name === "lastmodifieddate" ? changedAt : properties[name]
    const matches = (record: HubSpotRecord, group: { readonly filters: ReadonlyArray<Record<string, string>> }) =>
      group.filters.every(({ propertyName, operator, value }) => {
        if (contactProperties[propertyName] === undefined)
          throw new HubSpotRefusal(400, "VALIDATION_ERROR", `There was a problem with the request: ${propertyName}`)
        const held = valueOf(record, propertyName)
        if (operator === "EQ") return held === value
        if (operator === "GTE" && propertyName === "lastmodifieddate" && /^\d+$/.test(value))
          return Number(held) >= Number(value)
        throw new HubSpotRefusal(400, "VALIDATION_ERROR", `operator ${operator} is not simulated`)
      })
    const [sort] = Array.isArray(body.sorts) ? body.sorts : []
    if (sort !== undefined && (sort.propertyName !== "lastmodifieddate" || sort.direction !== "ASCENDING"))
      throw new HubSpotRefusal(400, "VALIDATION_ERROR", "this order is not simulated")
    const all = [...this.contacts.values()].filter(
      (record) => record.foundAt <= Date.now() && groups.some((group) => matches(record, group))
    )
    if (sort !== undefined) all.sort((a, b) => a.changedAt - b.changedAt)
    const [limit, after] = [Number(body.limit ?? 10), Number(body.after ?? 0)]
    if (!(limit >= 1 && limit <= 200) || after + limit > 10_000)
      throw new HubSpotRefusal(400, "VALIDATION_ERROR", `a page of ${limit} after ${after} is too much`)
    const next = after + limit
    return { found: all.slice(after, next), total: all.length, ...(all.length > next ? { next } : {}) }
  }

  addActivity(kind: HubSpotActivity["kind"], body: unknown): HubSpotActivity {
    if (!isObject(body)) throw new HubSpotRefusal(400, "VALIDATION_ERROR", "Invalid input JSON")
    only(body, ["properties", "associations"])
    const properties = textsOf(body.properties, (name) => activityProperties[kind].includes(name))
    if (Number.isNaN(Date.parse(properties.hs_timestamp ?? "")))
      throw new HubSpotRefusal(400, "VALIDATION_ERROR", "hs_timestamp is required")
    const [association] = Array.isArray(body.associations) ? body.associations : []
    const type = association?.types?.[0]
    if (type?.associationCategory !== "HUBSPOT_DEFINED" || type?.associationTypeId !== associationTypes[kind])
      throw new HubSpotRefusal(400, "VALIDATION_ERROR", "One or more associations are not valid")
    const { id: contactId } = this.contact(String(association.to?.id), null)
    const activity = { id: this.#id(), kind, properties, contactId }
    this.activities.set(activity.id, activity)
    return activity
  }

  activity(kind: HubSpotActivity["kind"], id: string): HubSpotActivity {
    const found = this.activities.get(id)
    if (found?.kind !== kind) throw new HubSpotRefusal(404, "OBJECT_NOT_FOUND", "resource not found")
    return found
  }

  changeActivity(kind: HubSpotActivity["kind"], id: string, body: unknown): HubSpotActivity {
    if (!isObject(body)) throw new HubSpotRefusal(400, "VALIDATION_ERROR", "Invalid input JSON")
    only(body, ["properties"])
    const activity = this.activity(kind, id)
    Object.assign(
      activity.properties,
      textsOf(body.properties, (name) => activityProperties[kind].includes(name))
    )
    return activity
  }
}
