/** What the service has of the modules. The four have the same operations. */
import type { CustomFieldsField, Import } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { useCursored } from "../../api/cursored.ts"
import { keys } from "../../api/keys.ts"
import type { Module, ModuleRecord } from "./modules.ts"

interface Asked {
  readonly signal?: AbortSignal
}

interface Operations {
  list(
    query: object,
    options?: Asked
  ): Promise<{
    readonly data: ReadonlyArray<ModuleRecord>
    readonly total: number
    readonly nextCursor?: string | null | undefined
  }>
  create(body: object): Promise<ModuleRecord>
  get(id: string, options?: Asked): Promise<ModuleRecord>
  update(id: string, body: object): Promise<ModuleRecord>
  archive(id: string): Promise<ModuleRecord>
  restore(id: string): Promise<ModuleRecord>
  import(body: { readonly file: File }, query: object, options?: { readonly timeoutMs: number }): Promise<Import>
}

export const operationsOf = (module: Module): Operations => parley[module]

export interface RecordsFilter {
  readonly search: string | undefined
  readonly archived: boolean
}

export const useRecords = (module: Module, { search, archived }: RecordsFilter, enabled: boolean) => {
  const filter = { search, archived, limit: 50 }
  return useCursored({
    queryKey: keys.records(module, filter),
    enabled,
    read: (cursor, signal) => operationsOf(module).list({ ...filter, cursor }, { signal })
  })
}

export const useRecord = (module: Module, id: string | undefined) =>
  useQuery({
    queryKey: keys.record(module, id ?? ""),
    enabled: id !== undefined,
    queryFn: ({ signal }) => operationsOf(module).get(id ?? "", { signal })
  })

export const useCustomFields = (module: Module, enabled: boolean) =>
  useQuery({
    queryKey: keys.customFields(module),
    enabled,
    queryFn: ({ signal }): Promise<ReadonlyArray<CustomFieldsField>> =>
      parley.customFields.get({ module }, { signal }).then(({ fields }) => fields)
  })
