/**
 * Reservations that several engine processes on one port share. The provider's stream may reach any of these processes, and that process then
 * takes the call. Each reservation is taken once.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import type { AgentConfig } from "./AgentConfig.ts"
import type { CallSetup } from "./CallSetup.ts"

export interface Reservation {
  readonly setup: CallSetup
  readonly agent: AgentConfig
  readonly token: string
}

/** `token`: another process has reserved the call, and its stream must carry this token. `taken`: the call's stream has already arrived. */
export type Posted = "posted" | "taken" | "unreachable" | { readonly token: string }

export class ReservationBoard extends Context.Service<
  ReservationBoard,
  {
    /** False when this process runs alone. The other operations then do nothing. */
    readonly shared: boolean
    /** Posts a reservation before the provider is told to connect. A call that comes back to its agent (`resume`) is posted again. */
    readonly post: (reservation: Reservation) => Effect.Effect<Posted>
    /**
     * The reservation of a call; `undefined` when there is none or it is taken. `mine`: this process reserved the call itself and does not
     * need the board, so an unreachable board is not tried again.
     */
    readonly find: (callId: string, mine: boolean) => Effect.Effect<Reservation | undefined | "unreachable">
    /**
     * True for the one process that may run the call, or record that its stream never came. Also true while the board is unreachable:
     * other processes cannot read the reservation then.
     */
    readonly take: (callId: string) => Effect.Effect<boolean>
    /** Calls `listener` for each call that this process posted and another process took, until the scope closes. */
    readonly onTaken: (listener: (callId: string) => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("parley/domain/ReservationBoard") {
  static readonly layerAlone: Layer.Layer<ReservationBoard> = Layer.succeed(ReservationBoard, {
    shared: false,
    post: () => Effect.succeed("posted"),
    find: () => Effect.succeed("unreachable"),
    take: () => Effect.succeed(true),
    onTaken: () => Effect.void
  })
}
