import { Clock, Effect } from "effect"
import { NodeBoard } from "../../../domain/operators/NodeBoard.ts"
import { makeProviderReport } from "../../../domain/operators/ProviderReport.ts"
import { makeSwitchNode } from "../../../domain/operators/SwitchNode.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { Conflict, NotFound } from "../../wire/Errors.ts"

/** Needs InstallationLog. */
export const layer = group(
  AppApi,
  "operatorNodes",
  Effect.fn(function* (handlers) {
    const board = yield* NodeBoard
    const switchNode = yield* makeSwitchNode
    const switched = (id: string, out: boolean, reason: string) =>
      switchNode(id, out, reason).pipe(
        Effect.catchTags({
          NoSuchNode: () => new NotFound({ error: "There is no node with this id." }),
          NodeConflict: ({ message }) => new Conflict({ error: message })
        })
      )
    return handlers.handleAll({
      list: () => Effect.map(Clock.currentTimeMillis, (now) => ({ data: board.list(now) })),
      drain: ({ params: { id }, payload: { reason } }) => switched(id, true, reason),
      open: ({ params: { id }, payload: { reason } }) => switched(id, false, reason)
    })
  })
)

export const providersLayer = group(
  AppApi,
  "operatorProviders",
  Effect.fn(function* (handlers) {
    const report = yield* makeProviderReport
    return handlers.handleAll({ list: () => Effect.map(report, (data) => ({ data })) })
  })
)
