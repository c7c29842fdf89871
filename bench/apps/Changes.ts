/** Changes that people make over REST: new contacts, one after the other in all organizations, with requests that only read beside them. */
import { clientOf, paced, type Kind as Request } from "../desk/OpenLoop.ts"
import type { AppsStage, Tenant } from "./Stage.ts"

/** A contact that was answered with 201. */
export interface Made {
  readonly tenant: Tenant
  readonly id: string
  readonly phone: string
  /** When its answer came, Unix milliseconds. */
  readonly at: number
}

/** How many read for one that writes. */
const readShare = 0.2

export const makeChanges = ({ baseUrl }: Pick<AppsStage, "baseUrl">) => {
  const made: Array<Made> = []
  let next = 0

  const create = (tenants: ReadonlyArray<Tenant>): Request => ({
    name: "POST /contacts",
    send: async () => {
      const n = next++
      const tenant = tenants[n % tenants.length]
      const phone = `+1415${String(2_000_000 + n)}`
      const answer = await clientOf(baseUrl, tenant.key)("/api/messaging-api/contacts", { phone, name: `Guest ${n}` })
      made.push({ tenant, id: String((answer as { readonly id: unknown }).id), phone, at: Date.now() })
    }
  })
  const read = (tenants: ReadonlyArray<Tenant>): Request => ({
    name: "GET /contacts",
    send: async (n) => {
      const { key } = tenants[n % tenants.length]
      await clientOf(baseUrl, key)("/api/messaging-api/contacts?limit=5")
    }
  })

  /** `rate` changes a second for so many seconds, and requests that read beside them. */
  const run = async (tenants: ReadonlyArray<Tenant>, rate: number, seconds: number) => {
    const from = made.length
    const [[writes], [reads]] = await Promise.all([
      paced([create(tenants)], rate, seconds),
      paced([read(tenants)], rate * readShare, seconds)
    ])
    return { writes, reads, made: made.slice(from) }
  }
  return { run }
}
export type Changed = Awaited<ReturnType<ReturnType<typeof makeChanges>["run"]>>
