/**
 * The devices that get a person's notifications. A device belongs to the session in which it was registered. Its notifications end when the person
 * signs out, when their password or role changes, and after the session's 7 days. An idle session does not end them: a phone in a pocket makes no
 * requests.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { User } from "./User.ts"

export const Platform = Schema.Literals(["ios", "android", "web"])

/** What an app registers: the token from its push service. */
export const NewDevice = Schema.Struct({
  token: Schema.String.check(
    Schema.isMinLength(8),
    Schema.isMaxLength(4_096),
    Schema.makeFilter((text: string) => /^[\x21-\x7e]+$/.test(text) || "must be the token as the push service gave it.")
  ),
  platform: Platform
}).annotate({
  title: "NewDevice",
  examples: [{ token: "fKx8Zq2cT0uVn5bJ3mR7wL:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8", platform: "android" }]
})
export type NewDevice = typeof NewDevice.Type

/** A device as it is shown, without its token. */
export const Device = Schema.Struct({
  id: Schema.String,
  platform: Platform,
  createdAt: Schema.String,
  lastSeenAt: Schema.String,
  /** Notifications end then, unless the device is registered again. */
  expiresAt: Schema.String
}).annotate({
  title: "Device",
  examples: [
    {
      id: exampleIds.device,
      platform: "android",
      createdAt: "2026-11-21T08:00:00.000Z",
      lastSeenAt: "2026-11-21T09:30:00.000Z",
      expiresAt: "2026-11-28T08:00:00.000Z"
    }
  ]
})
export type Device = typeof Device.Type

export interface DeviceSession {
  readonly user: Pick<User, "organizationId" | "id">
  readonly sessionId: string
  readonly expiresAt: string
}

/** The most devices of a person. A further one replaces the device that was not seen for the longest time. */
export const mostDevices = 20

export class Devices extends Context.Service<
  Devices,
  {
    /** Registers a device. A token that another registration had moves to this one. */
    readonly register: (session: DeviceSession, device: NewDevice) => Effect.Effect<Device>
    /** Newest first. */
    readonly list: (organizationId: string, userId: string) => Effect.Effect<ReadonlyArray<Device>>
    /** False when the person has no such device. */
    readonly remove: (organizationId: string, userId: string, deviceId: string) => Effect.Effect<boolean>
  }
>()("parley/domain/Devices") {}
