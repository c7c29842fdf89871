/** What the services were told, beside what is stored: how late it was, what is missing, and what is there twice. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Made } from "./Changes.ts"
import type { AppsStage, Tenant } from "./Stage.ts"

/** Changes of these organizations that are still to be told; events that no change was made of count, too. */
const waiting = async ({ database }: AppsStage, tenants: ReadonlyArray<Tenant>): Promise<number> => {
  const { rows } = await database.query<{ waiting: number }>(
    `SELECT (SELECT count(*) FROM app_tasks WHERE due_at IS NOT NULL AND organization_id = ANY ($1::text[]))::int
      + (SELECT count(*) FROM events e JOIN app_connections a USING (organization_id)
        WHERE a.organization_id = ANY ($1::text[]) AND a.enabled AND (e.transaction, e.position) > (a.transaction, a.position))::int AS waiting`,
    [tenants.map(({ organizationId }) => organizationId)]
  )
  return rows[0].waiting
}

/** Resolves when the services of these organizations were told everything; gives what was left after `longestMs`. */
export const drained = async (stage: AppsStage, tenants: ReadonlyArray<Tenant>, longestMs: number): Promise<number> => {
  for (const began = performance.now(); ; await sleep(500)) {
    const left = await waiting(stage, tenants)
    if (left === 0 || performance.now() - began > longestMs) return left
  }
}

interface Told {
  readonly firstAt: number
  /** Different contacts at HubSpot, or different changes at an address. */
  readonly times: number
}

/** Who was told, by phone number at HubSpot, and by id at an address. */
const everythingTold = ({ hubspot, receiver }: AppsStage): ReadonlyMap<string, Told> => {
  const told = new Map<string, Told>()
  const add = (who: string, at: number) => {
    const before = told.get(who)
    told.set(who, { firstAt: Math.min(before?.firstAt ?? at, at), times: (before?.times ?? 0) + 1 })
  }
  for (const { properties, createdAt } of hubspot.records.contacts.values()) add(properties.phone ?? "", createdAt)
  // The same id again is the same change: a receiver drops it.
  const seen = new Set<string>()
  for (const { headers, body, at } of receiver.received) {
    const { type, data } = JSON.parse(body) as {
      readonly type: string
      readonly data: { readonly contact: { id: string } }
    }
    if (type !== "contact.created" || seen.has(headers["webhook-id"])) continue
    seen.add(headers["webhook-id"])
    add(data.contact.id, at)
  }
  return told
}

export interface Judged {
  /** From the answer of a change to when the service had it, milliseconds, by kind. */
  readonly delays: Readonly<Record<"hubspot" | "webhook", ReadonlyArray<number>>>
  readonly lost: number
  readonly doubled: number
}

/** Only services that are well can have everything. */
export const judge = (stage: AppsStage, made: ReadonlyArray<Pick<Made, "tenant" | "id" | "phone" | "at">>): Judged => {
  const told = everythingTold(stage)
  const delays = { hubspot: [] as Array<number>, webhook: [] as Array<number> }
  let [lost, doubled] = [0, 0]
  for (const { tenant, id, phone, at } of made) {
    const { kind } = tenant
    if (kind !== "hubspot" && kind !== "webhook") continue
    const found = told.get(kind === "hubspot" ? phone : id)
    if (found === undefined) lost++
    else {
      if (found.times > 1) doubled++
      delays[kind].push(Math.max(0, found.firstAt - at))
    }
  }
  return { delays, lost, doubled }
}

/** The contacts of these organizations that are stored and were made from `since` on, also those whose answer was lost. */
export const storedSince = async (
  { database }: AppsStage,
  tenants: ReadonlyArray<Tenant>,
  since: number
): Promise<ReadonlyArray<Pick<Made, "tenant" | "id" | "phone" | "at">>> => {
  const { rows } = await database.query<{ organization_id: string; id: string; phone: string }>(
    "SELECT organization_id, id, phone FROM contacts WHERE organization_id = ANY ($1::text[]) AND created_at >= $2",
    [tenants.map(({ organizationId }) => organizationId), new Date(since)]
  )
  const byId = new Map(tenants.map((tenant) => [tenant.organizationId, tenant]))
  return rows.flatMap(({ organization_id, id, phone }) => {
    const tenant = byId.get(organization_id)
    return tenant === undefined ? [] : [{ tenant, id, phone, at: since }]
  })
}
