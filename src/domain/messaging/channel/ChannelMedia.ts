/** Files at the channel. It keeps files that contacts send for some days, and gets the files that we send before their message. */
import { Context, type Effect, type Scope, type Stream } from "effect"
import type { ChannelRefused, ChannelUnavailable } from "./MessagingChannel.ts"

export interface ChannelFile {
  /** What the channel says. */
  readonly mimeType: string
  readonly sizeBytes: number
  readonly bytes: Stream.Stream<Uint8Array, ChannelUnavailable>
}

export class ChannelMedia extends Context.Service<
  ChannelMedia,
  {
    /** Fetches a contact's file by the channel's id. Its bytes can be read while the scope is open. `ChannelRefused`: the file has expired. */
    readonly fetch: (
      organizationId: string,
      channelMediaId: string
    ) => Effect.Effect<ChannelFile, ChannelRefused | ChannelUnavailable, Scope.Scope>
  }
>()("parley/domain/ChannelMedia") {}

/** The channel's ids of our files that were uploaded already, so that a picture for a thousand people is uploaded once. */
export class UploadedMedia extends Context.Service<
  UploadedMedia,
  {
    /** The channel's id of our file at this number; `undefined` when there is none or it has expired at `now` (Unix milliseconds). */
    readonly find: (
      organizationId: string,
      file: { readonly mediaId: string; readonly phoneNumberId: string },
      now: number
    ) => Effect.Effect<string | undefined>
    /** Stores the channel's id of our file until `expiresAt` (Unix milliseconds). */
    readonly remember: (
      organizationId: string,
      file: { readonly mediaId: string; readonly phoneNumberId: string; readonly channelMediaId: string },
      expiresAt: number
    ) => Effect.Effect<void>
    /** Deletes the ids of a file that the channel does not have any more. */
    readonly forget: (organizationId: string, mediaId: string) => Effect.Effect<void>
  }
>()("parley/domain/UploadedMedia") {}
