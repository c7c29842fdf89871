/** What a workspace of the simulated Notion holds: a database with one data source, pages with properties, and blocks. Edit times are rounded to minutes. */
import { randomUUID } from "node:crypto"

export type NotionType = "title" | "rich_text" | "phone_number" | "email" | "multi_select" | "checkbox"

export interface SimulatedPage {
  readonly id: string
  /** Null: a page of the workspace, or of another page. */
  readonly dataSourceId: string | null
  /** The page that it is inside of. */
  readonly parentId?: string
  properties: Record<string, unknown>
  inTrash: boolean
  editedAt: number
  editedBy: string
}

export interface SimulatedBlock {
  readonly id: string
  readonly parentId: string
  readonly type: string
  content: Record<string, unknown>
}

/** A refusal: status and code. */
export class NotionRefusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const invalid = (message: string) => new NotionRefusal(400, "validation_error", `body failed validation: ${message}`)

const only = (value: unknown, names: ReadonlyArray<string>): Record<string, unknown> => {
  if (!isObject(value)) throw invalid("body should be an object")
  const strange = Object.keys(value).find((name) => !names.includes(name))
  if (strange !== undefined) throw invalid(`body.${strange} should be not present`)
  return value
}

/** Rich text as it is sent, in the form in which it is answered. */
const richText = (value: unknown): ReadonlyArray<object> => {
  if (!Array.isArray(value) || value.length > 100) throw invalid("rich_text should be an array of at most 100 items")
  return value.map((item) => {
    const content = isObject(item) && isObject(item.text) ? item.text.content : undefined
    if (typeof content !== "string") throw invalid("text.content should be a string")
    if (content.length > 2_000) throw invalid("text.content.length should be ≤ 2000")
    return {
      ...{ type: "text", text: { content, link: null }, plain_text: content, href: null },
      annotations: { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: "default" }
    }
  })
}

const checked = (type: NotionType, value: unknown): unknown => {
  if (type === "title" || type === "rich_text") return richText(value)
  if (type === "checkbox") {
    if (typeof value !== "boolean") throw invalid("checkbox should be a boolean")
    return value
  }
  if (type === "multi_select") {
    if (!Array.isArray(value)) throw invalid("multi_select should be an array")
    return value.map((option) => {
      const name = isObject(option) ? option.name : undefined
      if (typeof name !== "string" || name === "" || name.includes(",") || name.length > 100)
        throw invalid("multi_select names have no commas and at most 100 characters")
      return { id: randomUUID(), name, color: "default" }
    })
  }
  if (value !== null && (typeof value !== "string" || value === "")) throw invalid(`${type} should be a string or null`)
  return value
}

const plain = (value: unknown): string =>
  Array.isArray(value) ? value.map((item) => String(item.plain_text ?? item.name)).join("") : String(value ?? "")

export const botId = "9a3b5ae0-c6e6-482d-b0e1-ed315ee6dc57"
export const personId = "c2f20311-9e54-4d11-8c79-7398424ae41e"

export class NotionRecords {
  readonly databaseId = "29f6e4f1-5a52-8000-8c5b-c4f1d1a2b3c4"
  readonly dataSourceId = "29f6e4f1-5a52-8001-9d6c-d5a2e2b3c4d5"
  readonly schema: Record<string, NotionType> = {
    ...{ Name: "title", Phone: "phone_number", Email: "email", Tags: "multi_select" },
    ...{ "Opted in": "checkbox", "Parley id": "rich_text" }
  }
  readonly pages = new Map<string, SimulatedPage>()
  readonly blocks = new Map<string, SimulatedBlock>()
  /** Pages and databases that somebody has taken from the integration. */
  readonly hidden = new Set<string>()
  /** Tells of a change: the webhooks are sent from it. */
  told: (type: string, page: SimulatedPage, author: string) => void = () => undefined
  /** The clock of edit times. */
  now: () => number = Date.now

  #minute = () => Math.floor(this.now() / 60_000) * 60_000

  #seen(id: string) {
    if (this.hidden.has(id))
      throw new NotionRefusal(404, "object_not_found", `Could not find page with ID: ${id}. Make sure it is shared.`)
  }

  page(id: string): SimulatedPage {
    const found = this.pages.get(id)
    this.#seen(id)
    if (found === undefined) throw new NotionRefusal(404, "object_not_found", `Could not find page with ID: ${id}.`)
    return found
  }

  database(id: string): void {
    this.#seen(id)
    if (id !== this.databaseId)
      throw new NotionRefusal(404, "object_not_found", `Could not find database with ID: ${id}.`)
  }

  #properties(value: unknown): Record<string, unknown> {
    if (!isObject(value)) throw invalid("body.properties should be an object")
    return Object.fromEntries(
      Object.entries(value).map(([name, given]) => {
        const type = this.schema[name]
        if (type === undefined)
          throw new NotionRefusal(400, "validation_error", `${name} is not a property that exists.`)
        const { [type]: content } = only(given, [type, "type"])
        if (content === undefined) throw invalid(`body.properties.${name}.${type} should be defined`)
        return [name, checked(type, content)]
      })
    )
  }

  #empty = () =>
    Object.fromEntries(
      Object.entries(this.schema).map(([name, type]) => [
        name,
        type === "checkbox" ? false : type === "phone_number" || type === "email" ? null : []
      ])
    )

  /** Makes a page of the data source; `author` is our bot or a person. */
  create(body: unknown, author: string = botId): SimulatedPage {
    const { parent, properties } = only(body, ["parent", "properties", "children"])
    const source = isObject(parent) ? parent.data_source_id : undefined
    if (source !== this.dataSourceId) throw new NotionRefusal(404, "object_not_found", "Could not find data source.")
    const made = {
      ...{ id: randomUUID(), dataSourceId: this.dataSourceId, inTrash: false },
      ...{ properties: { ...this.#empty(), ...this.#properties(properties) } },
      ...{ editedAt: this.#minute(), editedBy: author }
    }
    this.pages.set(made.id, made)
    this.told("page.created", made, author)
    return made
  }

  /** Changes a page, as our bot or a person does. */
  change(id: string, body: unknown, author: string = botId): SimulatedPage {
    const page = this.page(id)
    const { properties, in_trash: inTrash } = only(body, ["properties", "in_trash", "icon", "cover"])
    if (page.inTrash && inTrash !== false)
      throw new NotionRefusal(400, "validation_error", "Can't edit block that is archived.")
    if (properties !== undefined) Object.assign(page.properties, this.#properties(properties))
    if (typeof inTrash === "boolean") page.inTrash = inTrash
    page.editedAt = this.#minute()
    page.editedBy = author
    const type = inTrash === true ? "page.deleted" : inTrash === false ? "page.undeleted" : "page.properties_updated"
    this.told(type, page, author)
    return page
  }

  #matches(page: SimulatedPage, filter: unknown): boolean {
    if (!isObject(filter)) throw invalid("filter should be an object")
    if (Array.isArray(filter.or)) {
      if (filter.or.length > 100) throw invalid("filter.or should have at most 100 items")
      return filter.or.some((one) => this.#matches(page, one))
    }
    if (filter.timestamp === "last_edited_time") {
      const { on_or_after: from } = isObject(filter.last_edited_time) ? filter.last_edited_time : {}
      if (typeof from !== "string" || Number.isNaN(Date.parse(from))) throw invalid("on_or_after should be a date")
      return page.editedAt >= Math.floor(Date.parse(from) / 60_000) * 60_000
    }
    const { property, ...rest } = filter
    const type = typeof property === "string" ? this.schema[property] : undefined
    if (type === undefined)
      throw new NotionRefusal(400, "validation_error", `Could not find property with name: ${property}`)
    const condition = rest[type]
    if (Object.keys(rest).length !== 1 || !isObject(condition)) throw invalid(`filter should have ${type}`)
    return plain(page.properties[String(property)]) === condition.equals
  }

  query(body: unknown) {
    const {
      filter,
      page_size: size = 100,
      start_cursor: start
    } = only(body, ["filter", "sorts", "page_size", "start_cursor", "result_type"])
    if (typeof size !== "number" || size < 1 || size > 100) throw invalid("page_size should be ≤ 100")
    const found = [...this.pages.values()]
      .filter((page) => page.dataSourceId === this.dataSourceId && !page.inTrash && !this.hidden.has(page.id))
      .filter((page) => filter === undefined || this.#matches(page, filter))
      .sort((a, b) => a.editedAt - b.editedAt)
    return this.part(found, size, start)
  }

  /** A part of a list, as Notion cuts it. */
  part<A extends { readonly id: string }>(all: ReadonlyArray<A>, size: number, start: unknown) {
    const at = start == null ? 0 : all.findIndex(({ id }) => id === start)
    if (at < 0) throw new NotionRefusal(400, "validation_error", "The start_cursor provided is invalid.")
    const next = all.at(at + size)
    return { results: all.slice(at, at + size), next_cursor: next?.id ?? null, has_more: next !== undefined }
  }

  /** Makes a page with a title, of the workspace or inside of another one. */
  addPage(title: string, parentId?: string): SimulatedPage {
    const text = richText([{ text: { content: title } }])
    const made: SimulatedPage = {
      ...{ id: randomUUID(), dataSourceId: null, ...(parentId === undefined ? {} : { parentId }), inTrash: false },
      ...{ properties: { title: text }, editedAt: this.#minute(), editedBy: personId }
    }
    this.pages.set(made.id, made)
    if (parentId !== undefined)
      this.blocks.set(made.id, { id: made.id, parentId, type: "child_page", content: { title } })
    return made
  }

  children(parentId: string) {
    if (!this.blocks.has(parentId) || this.pages.has(parentId)) this.page(parentId)
    return [...this.blocks.values()].filter(
      ({ id, parentId: of }) => of === parentId && this.pages.get(id)?.inTrash !== true && !this.hidden.has(id)
    )
  }

  append(parentId: string, body: unknown): ReadonlyArray<SimulatedBlock> {
    const page = this.blocks.has(parentId) && !this.pages.has(parentId) ? undefined : this.page(parentId)
    const { children } = only(body, ["children", "position"])
    if (!Array.isArray(children) || children.length > 100) throw invalid("children should be an array of at most 100")
    const made = children.map((child) => this.addBlock(parentId, child))
    if (page !== undefined) {
      page.editedAt = this.#minute()
      this.told("page.content_updated", page, botId)
    }
    return made
  }

  /** Puts a block there, with its own children. */
  addBlock(parentId: string, child: unknown): SimulatedBlock {
    const { object: _, type, ...rest } = isObject(child) ? child : {}
    if (typeof type !== "string" || !isObject(rest[type])) throw invalid("a block should have its type's content")
    const { children, ...content } = rest[type]
    const shown = content.rich_text === undefined ? content : { ...content, rich_text: richText(content.rich_text) }
    const block = { id: randomUUID(), parentId, type, content: shown }
    this.blocks.set(block.id, block)
    if (Array.isArray(children)) for (const one of children) this.addBlock(block.id, one)
    return block
  }

  changeBlock(id: string, body: unknown): SimulatedBlock {
    const block = this.blocks.get(id)
    if (block === undefined) throw new NotionRefusal(404, "object_not_found", `Could not find block with ID: ${id}.`)
    const { [block.type]: content } = only(body, [block.type, "in_trash"])
    if (isObject(content)) block.content = { ...content, rich_text: richText(content.rich_text) }
    return block
  }
}
