/**
 * The devices a person is told on. A device belongs to the session it was registered in: it is told nothing more after signing out, after the
 * person's password or role has changed, and after the session's 7 days. Being idle does not count: a phone in a pocket makes no requests.
 */
import { Context, type Effect, Schema } from "effect"
import type { User } from "./Access.ts"

export const Platform = Schema.Literals(["ios", "android", "web"])

/** What an app registers: the token its push service gave it. */
export const NewDevice = Schema.Struct({
  token: Schema.String.check(
    Schema.isMinLength(8),
    Schema.isMaxLength(4_096),
    Schema.makeFilter((text: string) => /^[\x21-\x7e]+$/.test(text) || "must be the token as the push service gave it.")
  ),
  platform: Platform
})
export type NewDevice = typeof NewDevice.Type

/** A device as it may be seen: without its token. */
export const Device = Schema.Struct({
  id: Schema.String,
  platform: Platform,
  createdAt: Schema.String,
  lastSeenAt: Schema.String,
  /** Told until then, unless it is registered again. */
  expiresAt: Schema.String
})
export type Device = typeof Device.Type

export interface DeviceSession {
  readonly user: Pick<User, "organizationId" | "id">
  readonly sessionId: string
  readonly expiresAt: string
}

/** How many devices a person has at most; the one unseen longest makes room. */
export const mostDevices = 20

export class Devices extends Context.Service<
  Devices,
  {
    /** Also takes the token from whoever had it. */
    readonly register: (session: DeviceSession, device: NewDevice) => Effect.Effect<Device>
    /** Newest first. */
    readonly list: (organizationId: string, userId: string) => Effect.Effect<ReadonlyArray<Device>>
    /** False when the person has no such device. */
    readonly remove: (organizationId: string, userId: string, deviceId: string) => Effect.Effect<boolean>
  }
>()("parley/domain/Devices") {}
