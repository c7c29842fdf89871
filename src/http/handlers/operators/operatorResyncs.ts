import { Effect } from "effect"
import { makeManageResyncs, type ResyncMove } from "../../../domain/operators/ManageResyncs.ts"
import { Resyncs } from "../../../domain/operators/Resync.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { Conflict, NotFound } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"
import { noOrganization } from "./operatorOrganizations.ts"

const noRun = () => new NotFound({ error: "There is no run with this id." })

/** Needs Resyncs, Organizations and InstallationLog. */
export const layer = group(
  AppApi,
  "operatorResyncs",
  Effect.fn(function* (handlers) {
    const resyncs = yield* Resyncs
    const manage = yield* makeManageResyncs
    const moved =
      (what: ResyncMove) =>
      ({ params: { id } }: { readonly params: { readonly id: string } }) =>
        manage.move(id, what).pipe(
          Effect.catchTags({
            NoSuchResync: noRun,
            ResyncElsewhere: ({ message }) => new Conflict({ error: message })
          })
        )
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const at = window(query)
        return toPage(yield* resyncs.list(at.page, at.limit), at)
      }),
      start: ({ payload: { organizationId, reason } }) =>
        manage.start(organizationId, reason).pipe(
          Effect.catchTags({
            NoSuchOrganization: noOrganization,
            ResyncUnderWay: () =>
              new Conflict({
                error: "Another run is under way or paused. Let it end, or cancel it, before the next one."
              })
          })
        ),
      get: ({ params: { id } }) => manage.get(id).pipe(Effect.catchTag("NoSuchResync", noRun)),
      pause: moved("pause"),
      resume: moved("resume"),
      cancel: moved("cancel")
    })
  })
)
