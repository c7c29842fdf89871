/** Translates the requests for an agent's versions. Voice agents and text agents have them. */
import { Effect } from "effect"
import type { ToolDefinition } from "../../../domain/ai/tools/Tool.ts"
import { maskSecrets } from "../../../domain/ai/tools/ToolSecrets.ts"
import type { Scope } from "../../../domain/people/access/Access.ts"
import { makeSavedMeanwhile } from "../../../domain/people/access/SavedMeanwhile.ts"
import type { SavedVersions } from "../../../domain/people/access/SavedVersion.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { Conflict, NotFound } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"

interface Which {
  readonly params: { readonly id: string; readonly version: number }
}

interface Versioned<Settings> {
  readonly versions: SavedVersions<Settings>
  /** E.g. `voice agent`. */
  readonly what: string
  readonly read: Scope
  readonly write: Scope
}

/** Needs Users. */
export const makeVersionHandlers = Effect.fnUntraced(function* <
  Settings extends { readonly tools: ReadonlyArray<ToolDefinition> }
>({ versions, what, read, write }: Versioned<Settings>) {
  const savedMeanwhile = yield* makeSavedMeanwhile

  const versionOf = Effect.fnUntraced(function* (organizationId: string, { id, version }: Which["params"]) {
    const found = yield* versions.find(organizationId, id, version)
    return found ?? (yield* new NotFound({ error: `There is no such version of this ${what}, or not any more.` }))
  })

  return {
    /** What a save of an agent fails with that somebody else has saved since: it says who. */
    changedMeanwhile: Effect.fnUntraced(function* (organizationId: string, agentId: string) {
      const { data } = yield* versions.list(organizationId, agentId, 1, 1)
      return yield* new Conflict({ error: yield* savedMeanwhile(organizationId, what, data[0]) })
    }),
    /** The routes. `find` fails for an agent that does not exist; `save` changes one. */
    routes: <Kept, Missing, FindR, Failure, SaveR>(
      find: (organizationId: string, agentId: string) => Effect.Effect<unknown, Missing, FindR>,
      save: (organizationId: string, agentId: string, settings: Settings) => Effect.Effect<Kept, Failure, SaveR>
    ) => ({
      versions: Effect.fnUntraced(function* ({
        params,
        query
      }: {
        readonly params: { readonly id: string }
        readonly query: { readonly page?: number; readonly limit?: number }
      }) {
        const { organizationId } = yield* requireScope(read)
        yield* find(organizationId, params.id)
        const at = window(query)
        return toPage(yield* versions.list(organizationId, params.id, at.page, at.limit), at)
      }),
      version: Effect.fnUntraced(function* ({ params }: Which) {
        const { organizationId } = yield* requireScope(read)
        const { version, settings } = yield* versionOf(organizationId, params)
        return { ...version, settings: { ...settings, tools: maskSecrets(settings.tools) } }
      }),
      restore: Effect.fnUntraced(function* ({ params }: Which) {
        const { organizationId } = yield* requireScope(write)
        const { settings } = yield* versionOf(organizationId, params)
        return yield* save(organizationId, params.id, settings)
      })
    })
  }
})
