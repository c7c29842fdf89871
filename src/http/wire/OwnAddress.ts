/** The public address of the service, for example for links in answers and for the addresses that providers sign. */
import { Context, Layer } from "effect"

export interface OwnAddressOptions {
  /** The public base URL, e.g. `https://app.example.com`, without a trailing slash (`ConfigChecks.ts` refuses one). The Host header is not used. */
  readonly publicBaseUrl: string
}

export class OwnAddress extends Context.Service<OwnAddress, OwnAddressOptions>()("parley/http/OwnAddress") {
  static readonly layer = ({ publicBaseUrl }: OwnAddressOptions): Layer.Layer<OwnAddress> =>
    Layer.succeed(OwnAddress, { publicBaseUrl })
}
