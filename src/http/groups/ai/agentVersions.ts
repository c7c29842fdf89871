/** The routes of an agent's versions. Voice agents and text agents have them. */
import type { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { BadRequest, type Conflict, Forbidden, NotFound, type ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"
import { wholeNumber } from "../../wire/QueryNumber.ts"

const error = [BadRequest, Forbidden, NotFound] as const

interface Versioned<Kept, Version, Detail> {
  readonly kept: Kept
  readonly version: Version
  /** A version with its settings. */
  readonly detail: Detail
  /** What a save may fail with. */
  readonly failure: ReadonlyArray<
    typeof BadRequest | typeof Forbidden | typeof NotFound | typeof Conflict | typeof ServerError
  >
  /** E.g. `a voice agent`. */
  readonly one: string
  /** What restoring does besides, as the end of "with the same checks, …". */
  readonly restored: string
  /** E.g. `voice`, of the scopes `voice:read` and `voice:write`. */
  readonly scope: string
}

export const versionEndpoints = <Kept extends Schema.Top, Version extends Schema.Top, Detail extends Schema.Top>({
  kept,
  version,
  detail,
  failure,
  one,
  restored,
  scope
}: Versioned<Kept, Version, Detail>) => {
  const params = { id: Id, version: wholeNumber({ minimum: 1, maximum: 1_000_000 }) }
  return [
    HttpApiEndpoint.get("versions", "/:id/versions", {
      params: { id: Id },
      query: pageQuery,
      success: pageOf(version),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: `List the versions of ${one}, newest first`,
        description: `One for each save, the newest 50. Scope \`${scope}:read\`.`
      })
    ),
    HttpApiEndpoint.get("version", "/:id/versions/:version", { params, success: detail, error }).annotateMerge(
      OpenApi.annotations({
        summary: `Get a version of ${one} with its settings`,
        description: `The secrets of tools are masked. Scope \`${scope}:read\`.`
      })
    ),
    HttpApiEndpoint.post("restore", "/:id/versions/:version/restore", {
      params,
      success: kept,
      error: failure
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Save the settings of an earlier version of ${one} again`,
        description: `As changing the agent: with the same checks, ${restored}. Scope \`${scope}:write\`.`
      })
    )
  ] as const
}
