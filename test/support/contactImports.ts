/** Imports over HTTP on the real stores, and the worker's rounds, which tests run themselves. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makeImportRound } from "../../src/actors/imports/ImportWorker.ts"
import type { Import } from "../../src/domain/imports/Import.ts"
import { type Messaging, root, startMessaging } from "./messaging.ts"

export const importPath = `${root}/contacts/import`

/** What a client sends as a body. */
type Body = NonNullable<RequestInit["body"]>

export const form = (bytes: string | Uint8Array, fileName: string, type = ""): FormData => {
  const data = new FormData()
  data.append("file", new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)], { type }), fileName)
  return data
}

const importing = (messaging: Messaging) => {
  const { world, key, run } = messaging
  const post = async (
    body: Body,
    {
      type,
      query = "",
      as = key,
      headers = {}
    }: {
      readonly type?: string
      readonly query?: string
      readonly as?: string
      readonly headers?: Readonly<Record<string, string>>
    } = {}
  ) => {
    const response = await fetch(`${world.base}${importPath}${query}`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${as}`, ...(type === undefined ? {} : { "content-type": type }), ...headers }
    })
    const answer = (await response.json()) as Record<string, unknown>
    world.contract.check("POST", importPath, response.status, answer)
    return { status: response.status, body: answer, headers: response.headers }
  }
  /** The import of CSV that must be taken. */
  const taken = async (csv: string, query = "", as = key): Promise<Import> => {
    const { status, body } = await post(csv, { type: "text/csv", query, as })
    assert.strictEqual(status, 201, JSON.stringify(body))
    return body as unknown as Import
  }
  /** Works like the worker: once, or until there is nothing more to do. */
  const round = () => run(Effect.flatten(makeImportRound))
  const workOff = async () => {
    while (await round());
  }
  const get = async (id: string, as = key): Promise<Import> => {
    const { status, body } = await world.call("GET", `${root}/imports/${id}`, undefined, as)
    assert.strictEqual(status, 200)
    return body as unknown as Import
  }
  /** The import of CSV, worked off. */
  const imported = async (csv: string, query = "") => {
    const { id } = await taken(csv, query)
    await workOff()
    return get(id)
  }
  const report = async (id: string) => {
    const response = await fetch(`${world.base}${root}/imports/${id}/report`, {
      headers: { authorization: `Bearer ${key}` }
    })
    // The byte order mark is part of the file.
    return { response, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer()) }
  }
  return { ...messaging, post, taken, round, workOff, get, imported, report }
}

export const startImports = Effect.map(startMessaging, importing)
export type Imports = Effect.Success<typeof startImports>

/** The numbers of what became of the rows. */
export const counts = ({ rows, created, updated, skipped, refused }: Import) => ({
  rows,
  created,
  updated,
  skipped,
  refused
})

/** A file of so many contacts with names and numbers of their own. */
export const csvOf = (rows: number, first = 0): string =>
  `phone,name\n${Array.from({ length: rows }, (_, i) => `+1415${5550000 + first + i},Contact ${first + i}\n`).join("")}`
