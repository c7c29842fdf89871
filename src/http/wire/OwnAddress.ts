/** Where the service is reached from outside, e.g. in links that are handed out and in what providers sign. */
import { Context, Layer } from "effect"

export interface OwnAddressOptions {
  /** What everybody outside has been told, e.g. `https://app.example.com`, without a trailing slash (`ConfigChecks.ts` refuses one); never the Host header. */
  readonly publicBaseUrl: string
}

export class OwnAddress extends Context.Service<OwnAddress, OwnAddressOptions>()("parley/http/OwnAddress") {
  static readonly layer = ({ publicBaseUrl }: OwnAddressOptions): Layer.Layer<OwnAddress> =>
    Layer.succeed(OwnAddress, { publicBaseUrl })
}
