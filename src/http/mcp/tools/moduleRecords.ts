/** What the tools over the modules (companies, products, orders) have in common: who sees them, and how they read records. */
import { Effect } from "effect"
import { z } from "zod"
import type { Listed, Part } from "../../../domain/basics/Listing.ts"
import type { ModulesNotAllowed } from "../../../domain/business/records/ManageRecords.ts"
import type { RecordFilter } from "../../../domain/business/records/ModuleRecord.ts"
import { type Organization, planRefusal } from "../../../domain/people/organizations/Organization.ts"
import { forbidden } from "../../handlers/business/moduleHandlers.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import * as arg from "../protocol/arg.ts"
import { after, type Rows } from "../protocol/ToolAnswer.ts"
import { asRefusal, type ToolRefusal } from "../protocol/ToolRefusal.ts"

/** The part of their declaration that is the same. */
export const ofModules = {
  toolset: "business",
  kind: "reads",
  scope: "modules:read",
  isInPlan: (organization: Organization) => planRefusal("modules", organization) === undefined
} as const

export const archivedRecords = z.boolean().optional().describe("True lists archived records instead.")

interface ListArgs {
  readonly search?: string | undefined
  readonly archived?: boolean | undefined
  readonly cursor?: string | undefined
}

interface RecordsToList<Kept> {
  readonly module: "companies" | "products" | "orders"
  readonly list: (
    organizationId: string,
    filter: RecordFilter,
    part: Part
  ) => Effect.Effect<Listed<Kept>, ModulesNotAllowed>
}

/** Fetches records, newest first. `fields`: what they must have. */
export const fetchRecords =
  <Kept>({ module, list }: RecordsToList<Kept>) =>
  (organizationId: string, { search = "", archived = false, cursor }: ListArgs, fields: RecordFilter["fields"]) =>
    Effect.fnUntraced(function* (limit: number): Effect.fn.Return<Rows<Kept>, ToolRefusal> {
      const part = yield* asRefusal()(partOf(module, arg.defined({ limit, cursor })))
      const filter: RecordFilter = {
        search: search.trim() === "" ? undefined : search,
        ...{ archived, sort: "-createdAt", fields }
      }
      const found = yield* list(organizationId, filter, part).pipe(Effect.catchTags(forbidden), asRefusal())
      const { data, total, nextCursor } = toList(found, part)
      return { data, total, next: after(nextCursor) }
    })
