/** Gives people who may listen to a call the address of its sound, with a token that any engine of the service knows as genuine. */
import { Clock, Context, Effect, Layer } from "effect"
import type { ListenerInvitation } from "../../../actors/voice/engine/CallListeners.ts"
import { listenerAddress } from "../../../actors/voice/engine/ListenerTokens.ts"
import * as StreamTokens from "../../../actors/voice/engine/StreamTokens.ts"

export interface ListenerAddressOptions {
  /** `ENGINE_WS_SECRET`, the same on app and engine. */
  readonly secret: string
  readonly publicBaseUrl: string
  /** Where engines let people listen, `wss://…/listen`. By default at the service's own address. */
  readonly listenUrl?: string
}

export class ListenerAddresses extends Context.Service<
  ListenerAddresses,
  { readonly addressOf: (invitation: ListenerInvitation) => string }
>()("parley/http/ListenerAddresses") {
  static readonly layer = ({
    secret,
    publicBaseUrl,
    listenUrl = `${publicBaseUrl.replace(/^https?/, "wss")}/listen`
  }: ListenerAddressOptions): Layer.Layer<ListenerAddresses> =>
    Layer.effect(
      ListenerAddresses,
      Effect.map(Clock.Clock, (clock) => {
        const tokens = StreamTokens.make(secret, () => clock.currentTimeMillisUnsafe())
        return { addressOf: (invitation) => listenerAddress(listenUrl, tokens, invitation) }
      })
    )
}
