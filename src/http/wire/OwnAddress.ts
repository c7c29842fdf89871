/** Where the service is reached from outside, e.g. in links that are handed out and in what providers sign. */
import { Context, Layer } from "effect"

export interface PublicAddressOptions {
  /** What everybody outside has been told, e.g. `https://app.example.com`, without a trailing slash (`ConfigChecks.ts` refuses one); never the Host header. */
  readonly publicBaseUrl: string
}

export class PublicAddress extends Context.Service<PublicAddress, PublicAddressOptions>()("parley/http/PublicAddress") {
  static readonly layer = ({ publicBaseUrl }: PublicAddressOptions): Layer.Layer<PublicAddress> =>
    Layer.succeed(PublicAddress, { publicBaseUrl })
}
