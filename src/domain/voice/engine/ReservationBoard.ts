/**
 * Reservations that several engine processes on one port share: the provider's stream may come to any of them, and that one takes the
 * call over. Each reservation is taken once.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import type { AgentConfig } from "./AgentConfig.ts"
import type { CallSetup } from "./CallSetup.ts"

export interface Reservation {
  readonly setup: CallSetup
  readonly agent: AgentConfig
  readonly token: string
}

/** `token`: the call has been reserved by another process, its stream shall bring this. `taken`: its stream is there already. */
export type Posted = "posted" | "taken" | "unreachable" | { readonly token: string }

export class ReservationBoard extends Context.Service<
  ReservationBoard,
  {
    /** False: this process is alone, and everything else here says so too. */
    readonly shared: boolean
    /** Before the provider is told to connect. A call that comes back to its agent (`resume`) is posted anew. */
    readonly post: (reservation: Reservation) => Effect.Effect<Posted>
    /** `mine`: this process has reserved the call itself and can do without the board, which then is not waited for. */
    readonly find: (callId: string, mine: boolean) => Effect.Effect<Reservation | undefined | "unreachable">
    /** True for the one who may run the call, or record that its stream never came. Nobody else can while the board is out of reach. */
    readonly take: (callId: string) => Effect.Effect<boolean>
    /** Hears of calls that this process posted and another one took. */
    readonly onTaken: (hear: (callId: string) => void) => Effect.Effect<void, never, Scope.Scope>
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
