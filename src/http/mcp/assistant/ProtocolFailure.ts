/** A request that the protocol itself refuses: an error of JSON-RPC instead of a result. */
import { Data } from "effect"

export class ProtocolFailure extends Data.TaggedError("ProtocolFailure")<{
  readonly reason: "invalid_params" | "method_not_found" | "resource_not_found" | "internal"
  readonly message: string
}> {}

export const invalidParams = (message: string) => new ProtocolFailure({ reason: "invalid_params", message })

/** The code of each reason. The revision of 2026 has none of its own for resources. */
export const codeOf = ({ reason }: ProtocolFailure): number => {
  switch (reason) {
    case "invalid_params":
      return -32_602
    case "method_not_found":
      return -32_601
    case "resource_not_found":
      return -32_002
    case "internal":
      return -32_603
  }
}
