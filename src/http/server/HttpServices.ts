/**
 * The library's services that routes need. Node's platform compresses in brotli, too; that of the web knows only gzip. There is no file system: files
 * of requests are only streamed.
 */
import * as NodeHttpPlatform from "@effect/platform-node/NodeHttpPlatform"
import { FileSystem, Layer, Path } from "effect"
import { Etag } from "effect/http"

export const layer = Layer.mergeAll(NodeHttpPlatform.layer, Etag.layerWeak, Path.layer, FileSystem.layerNoop({}))
