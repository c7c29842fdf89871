/** What a person of the organization tells a call that is under way, and how it gets to the engine that has the call: over the bus between processes. */
import { Effect, Option, Schema } from "effect"
import { makeBusRequest, takeBusRequests } from "../../basics/bus/BusRequest.ts"

export const CallCommand = Schema.Union([
  Schema.Struct({ type: Schema.Literal("say"), text: Schema.String }),
  Schema.Struct({ type: Schema.Literal("end") }),
  Schema.Struct({ type: Schema.Literal("transfer") })
])
export type CallCommand = typeof CallCommand.Type

const requestType = "call.command"
const decode = Schema.decodeUnknownOption(Schema.Struct({ callId: Schema.String, command: CallCommand }))

/** Gives the function that sends a command to the engine that has the call. False: no engine has it, or none answers. */
export const makeSendCommand = Effect.map(
  makeBusRequest(requestType),
  (send) => (organizationId: string, callId: string, command: CallCommand) =>
    send(organizationId, { callId, command: { ...command } })
)

/** Hands commands to `take`, until the scope ends. `take` gives whether it has the call, and must not throw. */
export const takeCommands = (take: (organizationId: string, callId: string, command: CallCommand) => boolean) =>
  takeBusRequests(requestType, (organizationId, request) =>
    Option.match(decode(request), {
      onNone: () => false,
      onSome: ({ callId, command }) => take(organizationId, callId, command)
    })
  )
