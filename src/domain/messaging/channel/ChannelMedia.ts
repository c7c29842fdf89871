/** Files at the channel: what contacts send lies there for some days, and what we send is put there first. */
import { Context, type Effect, type Scope, type Stream } from "effect"
import type { ChannelRefused, ChannelUnavailable } from "./MessagingChannel.ts"

export interface ChannelFile {
  /** As the channel tells it. */
  readonly mimeType: string
  readonly sizeBytes: number
  readonly bytes: Stream.Stream<Uint8Array, ChannelUnavailable>
}

export class ChannelMedia extends Context.Service<
  ChannelMedia,
  {
    /** A file that came with a message, by the channel's id of it; the bytes are there as long as the scope. Refused once it has expired. */
    readonly fetch: (
      organizationId: string,
      channelMediaId: string
    ) => Effect.Effect<ChannelFile, ChannelRefused | ChannelUnavailable, Scope.Scope>
  }
>()("parley/domain/ChannelMedia") {}

/** Which of our files are at the channel already, so that a picture for a thousand people is uploaded once. */
export class UploadedMedia extends Context.Service<
  UploadedMedia,
  {
    /** The channel's id of our file at this number, unless it is over at `now` (Unix milliseconds). */
    readonly find: (
      organizationId: string,
      file: { readonly mediaId: string; readonly phoneNumberId: string },
      now: number
    ) => Effect.Effect<string | undefined>
    readonly remember: (
      organizationId: string,
      file: { readonly mediaId: string; readonly phoneNumberId: string; readonly channelMediaId: string },
      expiresAt: number
    ) => Effect.Effect<void>
    /** The channel does not know it any more. */
    readonly forget: (organizationId: string, mediaId: string) => Effect.Effect<void>
  }
>()("parley/domain/UploadedMedia") {}
