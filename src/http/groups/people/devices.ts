/** `/api/devices`: the devices that receive push notifications for a signed-in person, and what the notifications show. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { Device, NewDevice } from "../../../domain/people/access/Device.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"

export class DevicesGroup extends HttpApiGroup.make("devices")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Struct({ data: Schema.Array(Device) }),
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({ summary: "List one's own devices, newest first", description: "Needs a session." })
    ),
    HttpApiEndpoint.put("register", "/", {
      payload: NewDevice,
      success: Device,
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Register a device, or tell that it is still there",
        description:
          "`token` is what Firebase Cloud Messaging gave the app; the same again changes nothing but the time. The device is told new messages, " +
          "assignments and overdue answers until the session that registered it is signed out or its 7 days are over. A token that somebody else " +
          "had registered is theirs no more. Needs a session; `POST /api/session` takes the same as `device`."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id: Id },
      success: Schema.Struct({ id: Schema.String, removed: Schema.Literal(true) }).annotate({
        examples: [{ id: exampleIds.device, removed: true }]
      }),
      error: [BadRequest, Forbidden, NotFound]
    }).annotateMerge(OpenApi.annotations({ summary: "Remove one's own device", description: "Needs a session." }))
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/devices") {}

const Settings = Schema.Struct({
  /** Whether devices show the contact's name and the beginning of the message. */
  preview: Schema.Boolean
}).annotate({ examples: [{ preview: true }] })

export class PushSettingsGroup extends HttpApiGroup.make("pushSettings")
  .add(
    HttpApiEndpoint.get("get", "/", { success: Settings, error: Forbidden }).annotateMerge(
      OpenApi.annotations({ summary: "What devices show", description: "OWNER or ADMIN (for a key: scope `admin`)." })
    ),
    HttpApiEndpoint.put("set", "/", {
      payload: Settings,
      success: Settings,
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Say what devices show",
        description:
          "Off, as at first, nothing of contacts and messages leaves the service through push; on, devices show the contact's name and the first " +
          "80 characters. OWNER or ADMIN. Scope `admin`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/organization/push") {}
