/** Converts database rows of organizations into records. */
import { Schema } from "effect"
import { Organization } from "../../../../domain/people/organizations/Organization.ts"
import { iso } from "../../tenancy/Sql.ts"

/** `flags`: as they were set; `inForce`: those of them that their gates let through. */
export type OrganizationRow = Omit<Organization, "createdAt" | "updatedAt" | "aiTokensPerMonth"> & {
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly aiTokensPerMonth: string | null
  readonly inForce: Organization["flags"]
}

/** The columns, and which flags are in force. */
export const organizationColumns = "*, flags_in_force(flags, id, stage) AS in_force"

const decode = Schema.decodeUnknownEffect(Organization)

/** The organization with the flags that are in force. */
export const organizationOf = (row: OrganizationRow) =>
  decode({
    ...row,
    flags: row.inForce,
    aiTokensPerMonth: row.aiTokensPerMonth === null ? null : Number(row.aiTokensPerMonth),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt)
  })
