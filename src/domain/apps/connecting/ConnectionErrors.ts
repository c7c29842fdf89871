/** Why a connection to an integration cannot be made, changed or used. */
import { Schema } from "effect"

/** 400: what was entered is not right, or the provider refuses it. */
export class InvalidConnection extends Schema.TaggedError<InvalidConnection>()("InvalidConnection", {
  message: Schema.String
}) {}
/** 403: the plan does not allow the integration. */
export class IntegrationNotAllowed extends Schema.TaggedError<IntegrationNotAllowed>()("IntegrationNotAllowed", {
  message: Schema.String
}) {}
/** 404: there is no such integration, or it is not connected. */
export class ConnectionNotFound extends Schema.TaggedError<ConnectionNotFound>()("ConnectionNotFound", {
  message: Schema.String
}) {}
/** 500: the provider could not be asked. */
export class ProviderUnreachable extends Schema.TaggedError<ProviderUnreachable>()("ProviderUnreachable", {
  message: Schema.String
}) {}
