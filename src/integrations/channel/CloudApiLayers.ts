/** Everything that speaks to the Cloud API, over one client. Needs ChannelAccounts, UploadedMedia, MediaFiles and MediaConversion. */
import { Layer } from "effect"
import * as CloudApiChannel from "./CloudApiChannel.ts"
import * as CloudApiClient from "./CloudApiClient.ts"
import * as CloudApiMedia from "./CloudApiMedia.ts"
import * as CloudApiSetup from "./CloudApiSetup.ts"

export const layer = (options: CloudApiClient.CloudApiOptions) =>
  Layer.mergeAll(
    CloudApiChannel.layer.pipe(Layer.provide(CloudApiMedia.layerUploads)),
    CloudApiMedia.layer,
    CloudApiSetup.layer
  ).pipe(Layer.provide(CloudApiClient.layer(options)))

/** For whoever only connects an organization. */
export const layerSetup = (options: CloudApiClient.CloudApiOptions) =>
  CloudApiSetup.layer.pipe(Layer.provide(CloudApiClient.layer(options)))
